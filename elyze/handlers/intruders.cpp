#include "elyze/handlers/intruders.hpp"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>

namespace heddle::elyze {
namespace {

constexpr std::array kCLibrary = {std::string_view("libc"), std::string_view("posix"), std::string_view("multivent")};
constexpr std::array kLoop = {std::string_view("libevent"), std::string_view("libev"), std::string_view("multivent")};

template <class Names, class Name>
bool among(const Names& names, const Name& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Functions of the compiler's own support library, and those that instructions and intrinsics become.
constexpr std::initializer_list<const char*> kOfTheCompiler = {
#define HANDLE_LIBCALL(code, name) name,
#include <llvm/IR/RuntimeLibcalls.def>
#undef HANDLE_LIBCALL
};

// May the compiler write a call of it where the source has none, or one of another function? It knows what such
// functions do, and puts one for the other: puts() for printf().
bool called_by_the_compiler(const llvm::Function& function, const llvm::TargetLibraryInfoImpl& known) {
  const std::string_view name = function.getName();
  llvm::LibFunc which = llvm::NumLibFuncs;
  if (known.getLibFunc(name, which)) return known.getLibFunc(function, which);  // of this type
  return std::any_of(kOfTheCompiler.begin(), kOfTheCompiler.end(),
                     [&](const char* other) { return other != nullptr && other == name; });
}

}  // namespace

bool Intruder::enters(const std::set<std::string>& called) const {
  if (anywhere) return true;
  return std::any_of(called.begin(), called.end(), [&](const std::string& library) {
    return (any_library && !among(kCLibrary, library)) || libraries.contains(library);
  });
}

std::vector<Intruder> unannounced_intruders(const Analysis& analysis) {
  std::vector<Intruder> found;
  for (const llvm::Function* function : analysis.calls.given_away) {
    Intruder intruder{function, nullptr};
    intruder.any_library = true;
    found.push_back(std::move(intruder));
  }
  const PointsTo& points_to = analysis.points_to;
  const llvm::TargetLibraryInfoImpl known{llvm::Triple(points_to.module.getTargetTriple())};
  for (const llvm::Function& function : points_to.module) {
    // What stands in several files by the rules of C++ is the same in the library.
    if (function.isDeclarationForLinker() || function.hasLocalLinkage() || function.hasLinkOnceLinkage() ||
        function.hasWeakODRLinkage() || among(points_to.own_allocator(), &function))
      continue;
    Intruder intruder{&function, nullptr};
    const Spec* spec = points_to.specs.find(function);
    intruder.any_library = spec != nullptr && !spec->dispatch && !among(kCLibrary, spec->library);
    for (std::string& library : points_to.specs.importers(function.getName())) {
      intruder.by_the_loop |= among(kLoop, library);
      intruder.libraries.insert(std::move(library));
    }
    intruder.anywhere = called_by_the_compiler(function, known);
    if (intruder.anywhere || intruder.any_library || !intruder.libraries.empty()) found.push_back(std::move(intruder));
  }
  return found;
}

}  // namespace heddle::elyze
