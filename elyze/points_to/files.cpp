#include "elyze/points_to/files.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <sstream>

namespace heddle::elyze {
namespace {

constexpr int kMostFunctions = 4;  // functions that a text is followed through
constexpr std::size_t kMostTexts = 16;

// The components of a path, from the root or from the working directory, without those that lead nowhere.
std::vector<std::string> components_of(const std::string& path) {
  std::vector<std::string> found;
  std::istringstream stream(path);
  for (std::string name; std::getline(stream, name, '/');)
    if (!name.empty() && name != ".") found.push_back(name);
  return found;
}

// The last component of a path that cannot lead elsewhere; empty for one that may, as a directory does.
std::string last_component(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  return name == "." || name == ".." ? "" : name;
}

// Below /proc, /sys or /dev, as it is written or by a way back. A device may be a terminal, or one half of one: what is
// read there is gone, and either half shows the other (pts(4)); what is below /dev/fd and /proc/self/fd is open
// already.
bool of_the_kernel(const std::string& path) {
  static const std::set<std::string> plain = {"null", "zero", "full", "random", "urandom", "log"};
  static const std::set<std::string> kernels = {"proc", "sys", "dev"};
  const std::vector<std::string> names = components_of(path);
  if (std::find(names.begin(), names.end(), "..") != names.end())
    return std::any_of(names.begin(), names.end(), [](const std::string& name) { return kernels.contains(name); });
  if (!path.starts_with('/') || names.empty() || !kernels.contains(names[0])) return false;
  if (names[0] != "dev" || names.size() < 2) return true;
  return !(names.size() == 2 && plain.contains(names[1])) && names[1] != "shm";
}

// Not of a function that may be found by its name at run time, or that `--wrap` gives another name (ld(1)).
bool calls_are_seen(const llvm::Function& function) {
  if (function.hasLocalLinkage()) return true;
  const llvm::Module& module = *function.getParent();
  return module.getFunction("dlsym") == nullptr && module.getFunction("dlvsym") == nullptr &&
         module.getNamedValue(("__real_" + function.getName()).str()) == nullptr;
}

}  // namespace

bool constant_texts(const llvm::CallBase& call, const llvm::Value* value, NumbersRead& read,
                    std::vector<std::string>& found, int depth) {
  if (value == nullptr || depth > kMostFunctions || found.size() > kMostTexts) return false;
  read.note(call, *value);
  if (const auto* formal = llvm::dyn_cast<llvm::Argument>(value)) {
    const llvm::Function& function = *formal->getParent();
    if (function.isVarArg() || function.use_empty() || !calls_are_seen(function)) return false;
    return std::all_of(function.use_begin(), function.use_end(), [&](const llvm::Use& use) {
      const auto* outer = llvm::dyn_cast<llvm::CallBase>(use.getUser());
      return outer != nullptr && outer->isCallee(&use) && formal->getArgNo() < outer->arg_size() &&
             constant_texts(*outer, outer->getArgOperand(formal->getArgNo()), read, found, depth + 1);
    });
  }
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(value);
  if (variable == nullptr || !variable->isConstant() || !variable->hasDefinitiveInitializer()) return false;
  if (llvm::isa<llvm::ConstantAggregateZero>(variable->getInitializer())) {
    found.emplace_back();
    return true;
  }
  const auto* text = llvm::dyn_cast<llvm::ConstantDataArray>(variable->getInitializer());
  if (text == nullptr || !text->isCString()) return false;
  found.push_back(text->getAsCString().str());
  return true;
}

FileName Files::named(const llvm::CallBase& call, const llvm::Value* path, NumbersRead& read) {
  std::vector<std::string> texts;
  if (!constant_texts(call, path, read, texts)) return kSomeFile;
  if (std::any_of(texts.begin(), texts.end(), [&](const auto& text) { return leads_to_the_kernel(text); }))
    return kKernelFile;
  std::vector<std::string> components;
  for (const std::string& text : texts) {
    if (text == "/dev/null") continue;
    components.push_back(last_component(text));
    if (components.back().empty()) return kSomeFile;
  }
  return all_joined_ && !components.empty() ? kSomeFile : known(std::move(components));
}

FileName Files::directories(const llvm::CallBase& call, const llvm::Value* path, NumbersRead& read) {
  std::vector<std::string> texts;
  if (!constant_texts(call, path, read, texts)) return kSomeFile;
  std::vector<std::string> components;
  for (std::string text : texts) {
    if (last_component(text).empty()) return kSomeFile;
    for (std::size_t end = text.rfind('/'); end != text.npos; end = text.rfind('/')) {
      text.resize(end);
      const std::string name = text.substr(text.rfind('/') + 1);
      if (name == "..") return kSomeFile;
      if (!name.empty() && name != ".") components.push_back(name);
    }
  }
  return known(std::move(components));
}

// Also from a directory that the program makes its own, and by links that it makes.
bool Files::leads_to_the_kernel(const std::string& path) const {
  const std::vector<std::string> names = components_of(path);
  return of_the_kernel(path) ||
         std::any_of(names.begin(), names.end(), [&](const auto& name) { return kernels_.contains(name); }) ||
         (!path.starts_with('/') && std::any_of(starts_.begin(), starts_.end(), [&](const std::string& start) {
           return of_the_kernel(start + '/' + path);
         }));
}

void Files::start_from(const llvm::CallBase& call, const llvm::Value* path, NumbersRead& read) {
  std::vector<std::string> texts;
  if (!constant_texts(call, path, read, texts)) return;
  std::copy_if(texts.begin(), texts.end(), std::inserter(starts_, starts_.end()), [](const std::string& text) {
    return of_the_kernel(text) || (text.starts_with('/') && components_of(text).empty());
  });
}

void Files::join(const llvm::CallBase& call, const llvm::Value* path, const llvm::Value* other, NumbersRead& read) {
  std::vector<std::string> texts;
  if (!constant_texts(call, path, read, texts) || !constant_texts(call, other, read, texts)) {
    join_all();
    return;
  }
  std::set<std::string> names;
  for (const std::string& text : texts) names.insert(last_component(text));
  if (names.contains("")) join_all();
  const auto to_the_kernel = [&](const std::string& text) { return text == "/" || leads_to_the_kernel(text); };
  if (std::any_of(texts.begin(), texts.end(), to_the_kernel)) kernels_.insert(names.begin(), names.end());
  for (auto known = joined_.begin(); known != joined_.end();) {
    const bool meets = std::any_of(names.begin(), names.end(), [&](const auto& name) { return known->contains(name); });
    if (meets) names.merge(*known);
    known = meets ? joined_.erase(known) : known + 1;
  }
  joined_.push_back(std::move(names));
}

FileName Files::known(std::vector<std::string> components) {
  if (components.empty()) return kNoFile;
  for (const std::set<std::string>& names : joined_) {
    if (std::any_of(components.begin(), components.end(), [&](const auto& name) { return names.contains(name); }))
      components.insert(components.end(), names.begin(), names.end());
  }
  std::sort(components.begin(), components.end());
  components.erase(std::unique(components.begin(), components.end()), components.end());
  const auto [place, fresh] = known_.try_emplace(components, static_cast<FileName>(names_.size()));
  if (!fresh) return place->second;
  std::vector<std::int64_t> bytes;
  for (const std::string& component : components) {
    const auto at = std::find(components_.begin(), components_.end(), component);
    bytes.push_back(at - components_.begin());
    if (at == components_.end()) components_.push_back(component);
  }
  names_.push_back(std::move(bytes));
  return place->second;
}

std::vector<Range> Files::bytes(FileName name) const {
  if (name == kSomeFile || name == kKernelFile) return {kEverything};
  std::vector<Range> ranges;
  for (const std::int64_t byte : names_[name]) ranges.push_back({byte, byte + 1});
  return ranges;
}

std::string Files::name(Range bytes) const {
  const bool one = bytes.low >= 0 && bytes.high == bytes.low + 1;
  return one ? components_.at(static_cast<std::size_t>(bytes.low)) : "some file";
}

}  // namespace heddle::elyze
