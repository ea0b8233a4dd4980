// The specs of all external functions: read from the YAML files in this folder and from the user's own, asked by
// function.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "elyze/specs/spec.hpp"

namespace llvm {
class CallBase;
class Function;
class GlobalVariable;
class Module;
}  // namespace llvm

namespace heddle::elyze {

class YamlNode;
class KeptEffects;

// "std::basic_string::append" for every append() of every std::__cxx11::basic_string<...>; empty if `mangled` is none.
std::string cxx_name(const std::string& mangled);

class Specs {
 public:
  // Reads every *.yaml of `directory`, then `files`, whose entries count before those of the same name; throws
  // InputError with file and entry where one is wrong, or where a file says something twice.
  static Specs read(const std::string& directory, const std::vector<std::string>& files = {});
  // A copy that has read `files`, too.
  Specs with(const std::vector<std::string>& files) const;
  const std::map<std::string, Spec, std::less<>>& all() const { return specs_; }
  // Null when nothing is known about the function.
  const Spec* find(const llvm::Function& function) const;
  // The hidden object that a variable of a library is, or the program's definition in its place; null for any other.
  const std::string* variable(const llvm::GlobalVariable& variable) const;
  // Does the program name a variable that is the hidden object of this name?
  bool names_variable(const llvm::Module& program, const std::string& hidden) const;
  // Does the program call a function that may hand out any event?
  bool exposes_events(const llvm::Module& program) const;
  // The libraries that look this function up by its name, so that the program's own definition is what they get.
  std::vector<std::string> importers(std::string_view name) const;
  // How the call starts a handler, if it stands in a function that dispatches; null for all other calls.
  const Callback* dispatched(const llvm::CallBase& call) const;
  // Throws InputError where a function that is said to dispatch does not, or a call in it has no such session.
  void check_dispatchers(const llvm::Module& program) const;

 private:
  void add_all(const std::vector<std::string>& own, const std::vector<std::string>& files);
  void add(const std::string& file, bool own, KeptEffects& kept);
  void add(const YamlNode& document, const std::string& file, bool own, KeptEffects& kept, std::string& where);
  void add_likenesses(KeptEffects& kept);
  const Spec& with_likenesses(const std::string& name, KeptEffects& kept, std::set<std::string>& done,
                              std::set<std::string>& open);
  bool dispatchers_ = false;  // some entry declares an event loop of the program's own
  std::map<std::string, Spec, std::less<>> specs_;
  std::vector<std::shared_ptr<const KeptEffects>> kept_;               // what the specs point to
  std::map<std::string, std::set<std::string, std::less<>>> imports_;  // by library
};

}  // namespace heddle::elyze
