#include "elyze/specs/spec.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <sstream>

#include "elyze/ir/error.hpp"

namespace heddle::elyze {
namespace {

class Words {  // one effect or result, word by word
 public:
  explicit Words(const std::string& text) : text_(text) {
    std::istringstream stream(text);
    for (std::string word; stream >> word;)
      words_.push_back(word.ends_with(",") ? word.substr(0, word.size() - 1) : word);
  }
  bool done() const { return at_ == words_.size(); }
  bool take(const std::string& word) {
    if (done() || words_[at_] != word) return false;
    ++at_;
    return true;
  }
  std::string next() {
    if (done()) fail();
    return words_[at_++];
  }
  std::int64_t number() {
    const std::string word = next();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size()) fail();
    return value;
  }
  int argument() { return static_cast<int>(number()); }
  std::string rest() {
    std::string all;
    while (!done()) all += (all.empty() ? "" : " ") + next();
    if (all.empty()) fail();
    return all;
  }
  [[noreturn]] void fail() const { throw InputError("can't read '" + text_ + "'"); }

 private:
  std::string text_;
  std::vector<std::string> words_;
  std::size_t at_ = 0;
};

void read_size(Words& words, Effect& effect) {
  if (words.take("size")) effect.bytes = words.number();
  if (words.take("bytes")) effect.bytes_arg = words.argument();
}

void read_actuals(Words& words, Effect& effect) {
  if (!words.take("with")) return;
  while (!words.done()) {
    if (words.take("nothing")) {
      effect.actuals.push_back({-1, false});
      continue;
    }
    const bool inside = words.take("inside");
    effect.actuals.push_back({words.argument(), inside});
  }
}

Effect parse_effect(const std::string& text) {
  using Op = Effect::Op;
  static const std::map<std::string, Op> simple = {{"read", Op::kRead},
                                                   {"write", Op::kWrite},
                                                   {"free", Op::kFree},
                                                   {"reach", Op::kReach},
                                                   {"reach-read", Op::kReachRead},
                                                   {"read-from", Op::kReadFrom},
                                                   {"write-from", Op::kWriteFrom},
                                                   {"read-variadic", Op::kReadVariadic},
                                                   {"publish", Op::kPublish}};
  Words words(text);
  const std::string verb = words.next();
  Effect effect{};
  if (const auto known = simple.find(verb); known != simple.end()) {
    effect.op = known->second;
    effect.arg = words.argument();
    read_size(words, effect);
    effect.one_step = words.take("once");
  } else if (verb == "send" || verb == "receive") {
    effect.op = Op::kCopy;
    effect.name = "what pipes carry";
    effect.arg = effect.other = words.argument();
    (verb == "send" ? effect.arg : effect.other) = kHiddenObject;
    read_size(words, effect);
  } else if (verb == "publish-owner") {
    effect.op = Op::kPublishOwner;
    effect.arg = words.argument();
    if (!words.take("at")) words.fail();
    effect.offset = words.number();
  } else if (verb == "touch" || verb == "look") {
    effect.op = verb == "touch" ? Op::kHiddenWrite : Op::kHiddenRead;
    effect.name = words.rest();
  } else if (verb == "descriptor") {
    effect.arg = words.argument();
    const std::string mode = words.next();
    if (mode != "read" && mode != "write") words.fail();
    effect.op = mode == "read" ? Op::kDescriptorRead : Op::kDescriptorWrite;
  } else if (verb == "copy") {
    effect.op = Op::kCopy;
    effect.other = words.argument();
    if (!words.take("to")) words.fail();
    effect.arg = words.take("returned") ? kReturnedObject : words.argument();
    read_size(words, effect);
  } else if (verb == "store" || verb == "keep") {
    effect.op = verb == "store" ? Op::kStore : Op::kKeep;
    if (verb == "store" && words.take("fresh")) {
      effect.op = Op::kStoreFresh;
      effect.other = words.take("descriptor") ? 1 : 0;
    } else {
      effect.other = words.argument();
    }
    if (!words.take("in")) words.fail();
    if (words.take("returned")) {
      effect.arg = kReturnedObject;
    } else if (words.take("hidden")) {
      effect.arg = kHiddenObject;
      effect.name = words.rest();
    } else {
      effect.arg = words.argument();
    }
    if (words.take("at")) effect.offset = words.number();
  } else if (verb == "same") {
    effect.op = Op::kSame;
    effect.arg = words.argument();
    effect.other = words.argument();
  } else if (verb == "call") {
    effect.op = words.take("reachable") ? Op::kCallReachable : Op::kCall;
    effect.arg = words.argument();
    read_actuals(words, effect);
  } else {
    words.fail();
  }
  if (!words.done()) words.fail();
  return effect;
}

Result parse_result(const std::string& text) {
  using Kind = Result::Kind;
  Words words(text);
  Result result;
  const std::string verb = words.next();
  if (verb == "nothing") {
    result.kind = Kind::kNothing;
  } else if (verb == "fresh") {
    result.kind = words.take("descriptor") ? Kind::kDescriptor : Kind::kFresh;
  } else if (verb == "argument" || verb == "inside") {
    result.kind = verb == "argument" ? Kind::kArgument : Kind::kInside;
    result.arg = words.argument();
  } else if (verb == "hidden") {
    result.kind = Kind::kHidden;
    result.name = words.rest();
  } else if (verb == "loaded") {
    result.kind = Kind::kLoaded;
    result.arg = words.argument();
    if (words.take("at")) result.offset = words.number();
  } else {
    words.fail();
  }
  if (!words.done()) words.fail();
  return result;
}

Parameter parse_parameter(const std::string& text) {
  Words words(text);
  const std::string verb = words.next();
  Parameter parameter;
  if (verb == "argument") {
    parameter = {Parameter::Kind::kArgument, words.argument()};
  } else if (verb == "returned") {
    parameter.kind = Parameter::Kind::kReturned;
  } else if (verb == "fresh") {
    parameter.kind = words.take("descriptor") ? Parameter::Kind::kDescriptor : Parameter::Kind::kFresh;
  } else if (verb != "nothing") {
    words.fail();
  }
  if (!words.done()) words.fail();
  return parameter;
}

int argument_or_returned(const YAML::Node& node) {
  return node.as<std::string>() == "returned" ? kReturnedObject : node.as<int>();
}

Callback parse_callback(const YAML::Node& node) {
  Callback callback;
  callback.function = node["function"].as<int>();
  callback.kind = node["kind"].as<std::string>();
  for (const YAML::Node& parameter : node["parameters"]) {
    callback.parameters.push_back(parse_parameter(parameter.as<std::string>()));
  }
  callback.session = node["session"].as<int>();
  if (node["event"]) callback.event = argument_or_returned(node["event"]);
  if (node["flags"]) callback.flags = node["flags"].as<int>();
  if (node["descriptor"]) callback.descriptor = node["descriptor"].as<int>();
  return callback;
}

Spec parse_spec(const YAML::Node& node) {
  Spec spec;
  for (const auto& entry : node) {
    const std::string key = entry.first.as<std::string>();
    if (key == "effects") {
      for (const YAML::Node& effect : entry.second) spec.effects.push_back(parse_effect(effect.as<std::string>()));
    } else if (key == "returns") {
      spec.result = parse_result(entry.second.as<std::string>());
    } else if (key == "callbacks") {
      for (const YAML::Node& callback : entry.second) spec.callbacks.push_back(parse_callback(callback));
    } else {
      throw InputError("unknown key '" + key + "' (effects, returns, callbacks)");
    }
  }
  return spec;
}

}  // namespace

Specs Specs::read(const std::string& directory) {
  Specs all;
  std::error_code problem;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory, problem)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  if (files.empty()) throw InputError(directory + ": no *.yaml with function specs there: give --specs elyze/specs");
  std::sort(files.begin(), files.end());
  for (const std::filesystem::path& file : files) {
    std::string where = file.string();
    try {
      for (const auto& entry : YAML::LoadFile(file.string())) {
        where = file.string() + ": " + entry.first.as<std::string>();
        const Spec spec = parse_spec(entry.second);
        std::string names = entry.first.as<std::string>();
        std::replace(names.begin(), names.end(), ',', ' ');
        std::istringstream stream(names);
        for (std::string name; stream >> name;) all.specs_[name] = spec;
      }
    } catch (const YAML::Exception& error) {
      throw InputError(where + ": not a spec (" + error.what() + "): see elyze/specs/README.md");
    } catch (const InputError& error) {
      throw InputError(where + ": " + error.what() + ": see elyze/specs/README.md");
    }
  }
  return all;
}

const Spec* Specs::find(const llvm::Function& function) const {
  llvm::StringRef name = function.getName();
  name.consume_front("\x01");
  const auto exact = specs_.find(std::string_view(name));
  if (exact != specs_.end()) return &exact->second;
  if (!function.isIntrinsic()) return nullptr;
  // llvm.memcpy.p0.p0.i64 is written as llvm.memcpy, llvm.umin.i32 as llvm.umin.
  for (std::string_view rest = std::string_view(name); rest.rfind('.') != std::string_view::npos;) {
    rest = rest.substr(0, rest.rfind('.'));
    const auto known = specs_.find(rest);
    if (known != specs_.end()) return &known->second;
  }
  return nullptr;
}

}  // namespace heddle::elyze
