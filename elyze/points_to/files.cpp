#include "elyze/points_to/files.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstrTypes.h>

#include <algorithm>

namespace heddle::elyze {
namespace {

constexpr int kMostFunctions = 4;  // functions that a text is followed through
constexpr std::size_t kMostTexts = 16;

// The last component of a path that cannot lead elsewhere; empty for one that may, as a directory or a descriptor does.
std::string last_component(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  if (name == "." || name == "..") return "";
  for (const char* descriptors : {"/dev/fd/", "/dev/std", "/proc/"}) {
    if (path.starts_with(descriptors)) return "";
  }
  return name;
}

// A device may be a terminal, or one half of one: what is read there is gone, and either half shows the other (pts(4)).
bool of_the_kernel(const std::string& path) {
  for (const char* plain : {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/fd/",
                            "/dev/std", "/dev/shm/", "/dev/log"}) {
    if (path.starts_with(plain)) return false;
  }
  return path.starts_with("/proc/") || path.starts_with("/sys/") || path.starts_with("/dev/");
}

}  // namespace

bool constant_texts(const llvm::CallBase& call, const llvm::Value* value, NumbersRead& read,
                    std::vector<std::string>& found, int depth) {
  if (value == nullptr || depth > kMostFunctions || found.size() > kMostTexts) return false;
  read.note(call, *value);
  if (const auto* formal = llvm::dyn_cast<llvm::Argument>(value)) {
    const llvm::Function& function = *formal->getParent();
    if (function.isVarArg() || function.use_empty()) return false;
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
  if (std::any_of(texts.begin(), texts.end(), of_the_kernel)) return kKernelFile;
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

void Files::join(const llvm::CallBase& call, const llvm::Value* path, const llvm::Value* other, NumbersRead& read) {
  std::vector<std::string> texts;
  if (!constant_texts(call, path, read, texts) || !constant_texts(call, other, read, texts)) {
    join_all();
    return;
  }
  std::set<std::string> names;
  for (const std::string& text : texts) names.insert(last_component(text));
  if (names.contains("")) join_all();
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
