#include "elyze/handlers/intruders.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "elyze/ir/generated_calls.hpp"

namespace heddle::elyze {
namespace {

constexpr std::array kOfC = {std::string_view("libc"), std::string_view("posix")};
constexpr std::array kCLibrary = {std::string_view("libc"), std::string_view("posix"), std::string_view("multivent")};
constexpr std::array kLoop = {std::string_view("libevent"), std::string_view("libev"), std::string_view("multivent")};

template <class Names, class Name>
bool among(const Names& names, const Name& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Each name that stands for a function of the program, with the function.
std::vector<std::pair<const llvm::GlobalValue*, const llvm::Function*>> symbols_of_functions(
    const llvm::Module& program) {
  std::vector<std::pair<const llvm::GlobalValue*, const llvm::Function*>> found;
  for (const llvm::Function& function : program)
    if (!function.isDeclarationForLinker()) found.emplace_back(&function, &function);
  for (const llvm::GlobalAlias& alias : program.aliases()) {
    const auto* function = llvm::dyn_cast_or_null<llvm::Function>(alias.getAliaseeObject());
    if (function != nullptr && !function->isDeclaration()) found.emplace_back(&alias, function);
  }
  return found;
}

const Spec* spec_by_symbol(const Specs& specs, const llvm::GlobalValue& symbol) {
  if (const auto* function = llvm::dyn_cast<llvm::Function>(&symbol)) return specs.find(*function);
  const auto found = specs.all().find(std::string_view(symbol.getName()));
  return found == specs.all().end() ? nullptr : &found->second;
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
    intruder.anywhere = true;
    found.push_back(std::move(intruder));
  }
  const PointsTo& points_to = analysis.points_to;
  const GeneratedCalls generated(points_to.module);
  for (const auto& [symbol, function] : symbols_of_functions(points_to.module)) {
    if (among(points_to.own_allocator(), function)) continue;
    Intruder intruder{function, nullptr};
    const Spec* spec = spec_by_symbol(points_to.specs, *symbol);
    const bool library = spec != nullptr && !spec->dispatch;
    intruder.anywhere = generated.may_call(*symbol, *function, library && among(kOfC, spec->library));
    // What stands in several files by the rules of C++ is the same in the library.
    if (!symbol->hasLocalLinkage() && !symbol->hasLinkOnceLinkage() && !symbol->hasWeakODRLinkage()) {
      intruder.any_library = library && !among(kCLibrary, spec->library);
      for (std::string& importer : points_to.specs.importers(symbol->getName())) {
        intruder.by_the_loop |= among(kLoop, importer);
        intruder.libraries.insert(std::move(importer));
      }
    }
    if (intruder.anywhere || intruder.any_library || !intruder.libraries.empty()) found.push_back(std::move(intruder));
  }
  return found;
}

}  // namespace heddle::elyze
