#include "elyze/specs/parse.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "elyze/ir/error.hpp"
#include "elyze/specs/words.hpp"
#include "elyze/specs/yaml.hpp"

namespace heddle::elyze {
namespace {

constexpr std::string_view kIfNamed = " if named";
constexpr std::string_view kWhen = " when ";
constexpr std::string_view kUnless = " unless ";
constexpr std::string_view kBeside = " beside ";
constexpr std::string_view kOnce = " once";
constexpr const char* kLeases = "1 is 1024";  // F_SETLEASE
constexpr std::string_view kInsideAny = "inside any handler";
constexpr int kMostDispatched = 16;  // arguments of a call that starts a handler

void read_size(Words& words, Effect& effect) {
  if (words.take("size")) effect.bytes = words.number();
  if (words.take("bytes")) effect.bytes_arg = words.argument();
}

void read_actuals(Words& words, Effect& effect) {
  if (!words.take("with")) return;
  while (!words.done()) {
    if (words.take("sends")) {
      effect.sends = true;
      continue;
    }
    if (words.take("result")) {
      if (!words.take("in")) words.fail();
      effect.result = Field{words.take("returned") ? kReturnedObject : words.argument()};
      if (words.take("at")) effect.result->offset = words.number();
      continue;
    }
    if (words.take("nothing")) {
      effect.actuals.push_back({kNoArgument, false});
      continue;
    }
    if (effect.arg != kHiddenObject && words.take("event")) {
      effect.name = kEventsHandedOut;
      effect.actuals.push_back({kHiddenObject, false});
      continue;
    }
    if (effect.arg == kHiddenObject && words.take("hidden")) {
      effect.actuals.push_back({kHiddenObject, false, words.number()});
      continue;
    }
    const bool inside = words.take("inside");
    const bool loaded = words.take("loaded");
    Effect::Actual actual{words.take("returned") ? kReturnedObject : words.argument(), inside};
    if (loaded) actual.path = words.path();
    if (loaded && actual.path.empty()) actual.path = {0};
    effect.actuals.push_back(actual);
  }
}

// `file of 0`, or `file` for one whose path is not known: what was opened.
int read_file(Words& words) { return words.take("of") ? words.argument() : kAnyPath; }

void read_use(Words& words, Effect& effect) {
  if (effect.op == Effect::Op::kFile && effect.arg == kNoArgument && words.take("changed")) {
    effect.use = Effect::Use::kMap;  // as with a protection that is not known
    effect.other = kNoArgument;
    return;
  }
  static const std::map<std::string, Effect::Use> uses = {
      {"read", Effect::Use::kRead},   {"write", Effect::Use::kWrite}, {"mapped", Effect::Use::kMap},
      {"sought", Effect::Use::kSeek}, {"locked", Effect::Use::kLock}, {"locked-by-process", Effect::Use::kProcessLock}};
  const auto use = uses.find(words.next());
  if (use == uses.end()) words.fail();
  effect.use = use->second;
  const bool by_argument = effect.use == Effect::Use::kMap || effect.use == Effect::Use::kSeek;
  effect.other = by_argument ? words.argument() : kNoArgument;
}

// `text 0`, `byte`, `in pieces`, ...: what is known of a record.
void read_record(Words& words, Effect& effect) {
  using Text = Effect::Text;
  for (const auto& [word, known] : {std::pair("text", Text::kText), {"line", Text::kLine}, {"format", Text::kFormat}}) {
    if (!words.take(word)) continue;
    effect.text = known;
    effect.other = words.argument();
  }
  if (effect.text == Text::kUnknown && words.take("byte")) effect.text = Text::kByte;
  effect.in_pieces = words.take("in");
  if (effect.in_pieces && !words.take("pieces")) words.fail();
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
    if ((effect.op == Op::kReach || effect.op == Op::kReachRead) && words.take("hidden")) {
      effect.arg = kHiddenObject;
      effect.name = words.rest();
      effect.one_step = effect.name.ends_with(kOnce);
      if (effect.one_step) effect.name.resize(effect.name.size() - kOnce.size());
      return effect;
    }
    effect.arg = effect.op == Op::kPublish && words.take("returned") ? kReturnedObject : words.argument();
    if (effect.op <= Op::kFree) effect.path = words.path();
    read_size(words, effect);
    effect.one_step = words.take("once");
  } else if (verb == "send" || verb == "receive") {
    effect.op = Op::kCopy;
    effect.name = kSent;
    const bool loaded = words.take("loaded");
    effect.arg = effect.other = words.take("returned") ? kReturnedObject : words.argument();
    (verb == "send" ? effect.arg : effect.other) = kHiddenObject;
    if (loaded) effect.path = words.path();
    if (words.take("steps")) effect.steps = words.argument();
    read_size(words, effect);
  } else if (verb == "publish-owner") {
    effect.op = Op::kPublishOwner;
    effect.arg = words.argument();
    if (!words.take("at")) words.fail();
    effect.offset = words.number();
  } else if (verb == "touch" || verb == "look" || verb == "part") {
    effect.op = verb == "look" ? Op::kHiddenRead : Op::kHiddenWrite;
    effect.part = verb == "part";
    if (effect.part) {
      effect.name = words.name_before_path();
      effect.path = words.path();
      effect.if_named = words.take("if");
      if (effect.if_named && !words.take("named")) words.fail();
    } else {
      effect.name = words.rest();
      effect.if_named = verb != "look" && effect.name.ends_with(kIfNamed);
      if (effect.if_named) effect.name.resize(effect.name.size() - kIfNamed.size());
    }
  } else if (verb == "descriptors") {
    effect.op = Op::kDescriptorRead;
    effect.all = true;
    effect.arg = words.take("any") ? kNoArgument : words.argument();
    if (effect.arg != kNoArgument) effect.path = {0};
    if (effect.arg != kNoArgument && words.take("every")) effect.bytes = words.number();
    if (!words.take("read")) words.fail();
  } else if (verb == "descriptor") {
    const bool hidden = words.take("hidden");
    if (hidden) effect.name = words.next();
    effect.arg = hidden ? kHiddenObject : words.argument();
    effect.path = words.path();
    std::string mode = words.next();
    while (hidden && !words.done()) effect.name += " " + std::exchange(mode, words.next());
    if (mode != "read" && mode != "write" && mode != "change" && mode != "close") words.fail();
    effect.closes = mode == "close";
    effect.sends = mode == "write";
    effect.op = mode == "read" ? Op::kDescriptorRead : Op::kDescriptorWrite;
  } else if (verb == "contents") {
    effect.op = Op::kContents;
    effect.arg = words.argument();
    effect.path = words.path();
    read_use(words, effect);
  } else if (verb == "connects" || verb == "permits") {
    effect.op = Op::kContents;
    effect.use = verb == "connects" ? Effect::Use::kConnect : Effect::Use::kEntry;
    effect.arg = words.argument();
    effect.path = words.path();
  } else if (verb == "file") {
    effect.op = Op::kFile;
    effect.arg = words.take("any") ? kNoArgument : words.argument();
    if (words.take("opened")) {
      effect.op = Op::kOpened;
      effect.other = words.argument();
    } else {
      read_use(words, effect);
    }
  } else if (verb == "name") {
    effect.op = Op::kName;
    effect.arg = words.take("any") ? kNoArgument : words.take("new") ? kNewPath : words.argument();
  } else if (verb == "address") {
    effect.op = Op::kContents;
    effect.arg = words.argument();
    effect.path = words.path();
    const bool taken = words.take("taken");
    effect.use = taken ? Effect::Use::kTakeAddress : Effect::Use::kGiveAddress;
    if (!taken && (!words.take("given") || !words.take("up"))) words.fail();
  } else if (verb == "append" || verb == "flush") {
    effect.op = verb == "append" ? Op::kAppend : Op::kFlush;
    const bool hidden = words.take("hidden");
    effect.arg = hidden ? kHiddenObject : words.argument();
    if (hidden) effect.name = words.next();
    if (effect.op == Op::kAppend) read_record(words, effect);
  } else if (verb == "waits") {
    effect.op = Op::kWaits;
    effect.arg = words.take("returned") ? kReturnedObject : words.argument();
  } else if (verb == "binds") {
    effect.op = Op::kBinds;
    effect.arg = words.argument();
  } else if (verb == "copy") {
    effect.op = Op::kCopy;
    effect.other = words.argument();
    if (!words.take("to")) words.fail();
    effect.arg = words.take("returned") ? kReturnedObject : words.argument();
    read_size(words, effect);
  } else if (verb == "mix") {
    effect.op = Op::kCopy;
    effect.arg = effect.other = words.argument();
    effect.inside = true;
    read_size(words, effect);
  } else if (verb == "store" || verb == "keep") {
    effect.op = verb == "store" ? Op::kStore : Op::kKeep;
    if (verb == "store" && words.take("fresh")) {
      effect.op = Op::kStoreFresh;
      if (words.take("file")) effect.file = read_file(words);
      effect.other = effect.file != kNotAFile || words.take("descriptor") ? 1 : 0;
    } else {
      effect.number = verb == "keep" && words.take("descriptor");
      effect.inside = verb == "store" && words.take("inside");
      const bool loaded = words.take("loaded");
      if (effect.number && !loaded) words.fail();
      effect.other = words.take("returned") ? kReturnedObject : words.argument();
      if (loaded) effect.value_path = words.path();
      if (loaded && effect.value_path.empty()) effect.value_path = {0};
    }
    if (!words.take("in")) words.fail();
    const bool inside = effect.op != Op::kStore && words.take("loaded");
    if (words.take("returned")) {
      effect.arg = kReturnedObject;
    } else if (words.take("hidden")) {
      effect.arg = kHiddenObject;
      effect.name = words.name(effect.offset);
    } else {
      effect.arg = words.argument();
    }
    if (inside) {  // the last number is the place, those before it lead there
      effect.path = words.path();
      if (effect.path.size() < 2) words.fail();
      effect.offset = effect.path.back();
      effect.path.pop_back();
    } else if (words.take("at")) {
      effect.offset = words.number();
    }
    if (effect.op == Op::kStore && words.take("every")) effect.bytes = words.number();
  } else if (verb == "same") {
    effect.op = Op::kSame;
    effect.arg = words.argument();
    effect.other = words.argument();
  } else if (verb == "call") {
    effect.op = words.take("reachable") ? Op::kCallReachable : Op::kCall;
    if (effect.op == Op::kCall && words.take("hidden")) {
      effect.arg = kHiddenObject;
      effect.name = words.name(effect.offset);
    } else {
      const bool loaded = effect.op == Op::kCall && words.take("loaded");
      effect.arg = words.argument();
      if (loaded) effect.path = words.path();
      if (loaded && effect.path.empty()) effect.path = {0};
    }
    read_actuals(words, effect);
  } else {
    words.fail();
  }
  if (!words.done()) words.fail();
  return effect;
}

// `0 is 4 5`, `1 has 32`, `0 surely is 16`
NumberCondition parse_number_condition(const std::string& text) {
  Words words(text);
  NumberCondition condition;
  condition.arg = words.argument();
  if (words.take("has")) {
    condition.test = NumberCondition::Test::kHas;
  } else if (words.take("surely")) {
    condition.test = NumberCondition::Test::kSurely;
  }
  if (condition.test != NumberCondition::Test::kHas && !words.take("is")) words.fail();
  do condition.numbers.insert(words.number());
  while (!words.done());
  return condition;
}

// `TEXT when 0 is 4`, `TEXT unless 0 is 4`: the text, and the condition.
std::pair<std::string, NumberCondition> split_condition(const std::string& text) {
  const std::string_view word = text.find(kUnless) != std::string::npos ? kUnless : kWhen;
  const std::size_t at = text.find(word);
  if (at == std::string::npos) return {text, {}};
  NumberCondition condition = parse_number_condition(text.substr(at + word.size()));
  if (word == kUnless) condition.test = NumberCondition::Test::kIsNot;
  return {text.substr(0, at), std::move(condition)};
}

// The text without what stands behind it: a condition, as above, or ` beside openlog 1 has 32`, ` beside openlog unless
// 0 is 0`, ` beside openlog`, which is for calls of another function. With both, the first is `own`.
std::string take_guard(const std::string& text, NumberCondition& condition, std::string& beside, NumberCondition& own) {
  const std::size_t at = text.find(kBeside);
  auto [said, first] = split_condition(text.substr(0, at));
  (at == std::string::npos ? condition : own) = std::move(first);
  if (at == std::string::npos) return said;
  const std::string call = text.substr(at + kBeside.size());
  const std::size_t name = call.find(' ');
  beside = call.substr(0, name);
  if (name == std::string::npos) return said;
  const std::string when = call.substr(name);
  const bool unless = when.starts_with(kUnless);
  condition = parse_number_condition(unless ? when.substr(kUnless.size()) : when);
  if (unless) condition.test = NumberCondition::Test::kIsNot;
  return said;
}

Result parse_result(const std::string& all) {
  using Kind = Result::Kind;
  Result result;
  NumberCondition own;
  Words words(take_guard(all, result.condition, result.beside, own));
  if (own.arg != kNoArgument) words.fail();
  const std::string verb = words.next();
  if (verb == "nothing") {
    result.kind = Kind::kNothing;
  } else if (verb == "fresh") {
    if (words.take("file")) result.file = read_file(words);
    result.kind = result.file != kNotAFile || words.take("descriptor") ? Kind::kDescriptor : Kind::kFresh;
    if (result.kind == Kind::kDescriptor && words.take("without")) {
      if (!words.take("paths")) words.fail();
      result.without_paths = std::exchange(result.condition, {});
    }
    result.shared = result.kind == Kind::kFresh && words.take("shared");
    if (result.kind == Kind::kFresh && words.take("mapping")) result.mapped = words.argument();
  } else if (verb == "argument" || verb == "inside") {
    result.kind = verb == "argument" ? Kind::kArgument : Kind::kInside;
    result.arg = words.argument();
  } else if (verb == "hidden") {
    result.kind = Kind::kHidden;
    result.name = words.rest();
  } else if (verb == "loaded") {
    result.kind = Kind::kLoaded;
    if (words.take("hidden")) {
      result.arg = kHiddenObject;
      result.name = words.name(result.offset);
    } else {
      result.arg = words.argument();
    }
    if (words.take("at")) result.offset = words.number();
  } else {
    words.fail();
  }
  if (!words.done()) words.fail();
  return result;
}

// `or loaded returned at 32`
std::optional<Field> read_field(Words& words) {
  if (!words.take("or")) return std::nullopt;
  if (!words.take("loaded")) words.fail();
  Field field{words.take("returned") ? kReturnedObject : words.argument()};
  if (!words.take("at")) words.fail();
  field.offset = words.number();
  return field;
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
  } else if (verb == "loaded") {
    parameter = {Parameter::Kind::kLoaded, words.take("returned") ? kReturnedObject : words.argument()};
    if (words.take("at")) parameter.offset = words.number();
  } else if (verb == "hidden") {
    parameter.kind = Parameter::Kind::kHidden;
    parameter.hidden = words.rest();
  } else if (verb != "nothing") {
    words.fail();
  }
  parameter.kept = read_field(words);
  if (!words.done()) words.fail();
  return parameter;
}

int argument_number(const YamlNode& node) {
  const int number = node.number();
  if (number < 0) throw InputError("argument " + std::to_string(number) + " does not exist");
  return number;
}

int argument_or_returned(const YamlNode& node) {
  return node.text() == "returned" ? kReturnedObject : argument_number(node);
}

Callback::When who_calls(const std::string& kind) {
  static const std::set<std::string> loop = {"event",    "timer", "signal", "once", "bufferevent",
                                             "listener", "http",  "dns",    "log",  "unknown"};
  if (kind == "at any time") return Callback::When::kAnyTime;
  if (kind == "inside handlers" || kind == kInsideAny) return Callback::When::kInHandlers;
  if (loop.count(kind) == 0) throw InputError("unknown kind of callback '" + kind + "'");
  return Callback::When::kLoop;
}

// `2`, or `loaded 2 at 320`, `loaded returned at 320`; `nothing or loaded 0 at 24`.
void parse_function(const std::string& text, Callback& callback) {
  Words words(text);
  if (!words.take("loaded")) {
    callback.function = words.take("nothing") ? kNoArgument : words.argument();
    callback.kept = read_field(words);
  } else {
    callback.function = words.take("returned") ? kReturnedObject : words.argument();
    if (!words.take("at")) words.fail();
    callback.stored = words.number();
  }
  if (!words.done()) words.fail();
}

Callback parse_callback(const YamlNode& node) {
  static const std::set<std::string_view> keys = {"function", "kind",  "when",        "beside",    "parameters",
                                                  "session",  "type",  "result",      "allocates", "on-behalf",
                                                  "handed",   "event", "event_bytes", "flags",     "descriptor"};
  for (const auto& [key, value] : node.map())
    if (!keys.contains(key)) throw InputError("unknown key '" + key + "' of a callback");
  Callback callback;
  if (node.find("function") == nullptr) throw InputError("a callback without 'function'");
  parse_function(node.at("function").text(), callback);
  callback.kind = node.at("kind").text();
  callback.when = who_calls(callback.kind);
  callback.anywhere = callback.kind == kInsideAny;
  if (const YamlNode* when = node.find("when")) callback.condition = parse_number_condition(when->text());
  if (const YamlNode* names = node.find("beside"))
    for (const YamlNode* name : names->list()) callback.beside.insert(name->text());
  if (const YamlNode* parameters = node.find("parameters"))
    for (const YamlNode* one : parameters->list()) callback.parameters.push_back(parse_parameter(one->text()));
  callback.session = node.at("session").number();
  if (callback.session < -1 || callback.session >= static_cast<int>(callback.parameters.size())) {
    throw InputError("session " + std::to_string(callback.session) + " is no parameter of the callback");
  }
  if (const YamlNode* type = node.find("type")) callback.type = Signature::parse(type->text());
  if (callback.type && callback.type->parameters.size() != callback.parameters.size())
    throw InputError("'type' and 'parameters' of a callback differ in number");
  if (const YamlNode* result = node.find("result")) {
    Words words(result->text());
    if (!words.take("hidden")) words.fail();
    callback.result = words.rest();
  }
  if (const YamlNode* allocates = node.find("allocates")) callback.allocates = allocates->flag();
  if (const YamlNode* entry = node.find("on-behalf")) callback.on_behalf = entry->text();
  if (!callback.on_behalf.empty() && !callback.type) throw InputError("'on-behalf' of a callback without 'type'");
  if (const YamlNode* handed = node.find("handed")) callback.handed = argument_number(*handed);
  if (const YamlNode* event = node.find("event")) callback.event = argument_or_returned(*event);
  if (const YamlNode* bytes = node.find("event_bytes")) callback.event_bytes = bytes->number();
  if (const YamlNode* flags = node.find("flags")) callback.flags = argument_number(*flags);
  if (const YamlNode* descriptor = node.find("descriptor")) callback.descriptor = argument_number(*descriptor);
  return callback;
}

// {session: 0}, {calls: [on_ready, on_timer], session: 1, kind: timer}
Dispatch parse_dispatch(const YamlNode& node) {
  if (node.kind() != YamlNode::Kind::kMap) throw InputError("'dispatches' without 'session' (write {session: 0})");
  Dispatch dispatch;
  std::string kind = "event";
  for (const auto& [key, value] : node.map()) {
    if (key == "session") {
      dispatch.session = value->number();
    } else if (key == "kind") {
      kind = value->text();
    } else if (key == "calls") {
      for (const YamlNode* name : value->list()) dispatch.calls.push_back(name->text());
      if (dispatch.calls.empty()) throw InputError("'calls' names no function (leave it out for every indirect call)");
    } else {
      throw InputError("unknown key '" + key + "' in 'dispatches' (calls, session, kind)");
    }
  }
  if (node.find("session") == nullptr)
    throw InputError("'dispatches' without 'session' (the argument that is it; -1: none)");
  if (dispatch.session < -1 || dispatch.session >= kMostDispatched)
    throw InputError("session " + std::to_string(dispatch.session) + " is no argument of a call");
  if (who_calls(kind) != Callback::When::kLoop) throw InputError("'" + kind + "' is no kind of handler");
  for (int count = 0; count <= kMostDispatched; ++count) {
    Callback callback;
    callback.function = kCalledFunction;
    callback.kind = kind;
    callback.session = dispatch.session < count ? dispatch.session : -1;
    for (int i = 0; i < count; ++i) callback.parameters.push_back({Parameter::Kind::kArgument, i});
    dispatch.callbacks.push_back(std::move(callback));
  }
  return dispatch;
}

}  // namespace

void add_effect(Spec& spec, const std::string& text, KeptEffects& kept) {
  if (const Effect* same = kept.find(text)) {
    spec.effects.add(same);
    return;
  }
  Words words(text);
  if (words.take("alone")) {
    spec.alone = words.rest();
    return;
  }
  if (words.take("end")) {
    spec.ends = words.argument();
    if (!words.done()) words.fail();
    return;
  }
  if (words.take("exchanges")) {
    spec.exchanges = words.argument();
    if (!words.done()) words.fail();
    return;
  }
  if (words.take("as")) {
    Likeness likeness{.name = words.next()};
    if (!words.take("with")) words.fail();
    likeness.arg = words.argument();
    likeness.path = words.path();
    if (!words.done()) words.fail();
    spec.likenesses.push_back(std::move(likeness));
    return;
  }
  for (const auto& [word, flag] : {std::pair("fork", &Spec::forks),
                                   {"lock", &Spec::locks},
                                   {"resume", &Spec::resumes},
                                   {"undone", &Spec::undone}}) {
    if (text != word) continue;
    spec.*flag = true;
    return;
  }
  NumberCondition condition;
  std::string beside;
  NumberCondition own;
  const std::string said = take_guard(text, condition, beside, own);
  for (const auto& [word, place] : {std::pair("sleeps", &Spec::sleeps), {"processor-time", &Spec::processor_time}}) {
    if (said != word) continue;
    spec.*place = std::move(condition);
    return;
  }
  Effect effect = parse_effect(said);
  effect.condition = std::move(condition);
  effect.beside = std::move(beside);
  effect.own = std::move(own);
  spec.effects.add(kept.keep(std::move(effect), text));
}

namespace {

void add_effects(Spec& spec, const YamlNode& list, KeptEffects& kept) {
  for (const YamlNode* effect : list.list()) {  // or a list of them, for several entries
    if (effect->kind() == YamlNode::Kind::kList) {
      add_effects(spec, *effect, kept);
    } else {
      add_effect(spec, effect->text(), kept);
    }
  }
}

void mark_undone(Effects& effects, KeptEffects& kept) {
  Effects marked;
  for (Effect effect : effects) {
    effect.undone = true;
    marked.add(kept.keep(std::move(effect)));
  }
  effects = std::move(marked);
}

// What ends with the last descriptor of an open file, or with any, shows to those who have none: the address of a
// socket (ip(7)), and a lease, which keeps others from opening the file (fcntl(2), F_SETLEASE).
void give_up_with_descriptors(Spec& spec, KeptEffects& kept) {
  std::vector<Effect> found;
  for (const Effect& closing : spec.effects) {
    if (!closing.closes) continue;
    if (closing.arg == kHiddenObject) {
      Effect address = parse_effect("part " + kAddresses);
      address.condition = closing.condition;
      address.beside = closing.beside;
      address.own = closing.own;
      found.push_back(std::move(address));
      continue;
    }
    Effect given = closing;
    given.op = Effect::Op::kContents;
    given.use = Effect::Use::kGiveAddress;
    found.push_back(given);
    given.use = Effect::Use::kEntry;
    if (given.own.arg == kNoArgument && given.beside.empty()) given.own = given.condition;
    given.condition = parse_number_condition(kLeases);
    for (const char* takes : {"fcntl", "fcntl64"}) {
      given.beside = takes;
      found.push_back(given);
    }
  }
  for (Effect& effect : found) spec.effects.add(kept.keep(std::move(effect)));
}

// What follows from other effects and is not written in each entry.
void add_consequences(Spec& spec, KeptEffects& kept) {
  using Op = Effect::Op;
  const auto any = [&](const auto& holds) { return std::any_of(spec.effects.begin(), spec.effects.end(), holds); };
  const bool writes = any([](const Effect& effect) {
    return effect.op == Op::kAppend || effect.op == Op::kFlush || (effect.op == Op::kDescriptorWrite && effect.sends) ||
           (effect.op == Op::kContents && effect.use == Effect::Use::kWrite);
  });
  const bool uses = writes || any([](const Effect& effect) {
                      return effect.op == Op::kDescriptorWrite || effect.op == Op::kContents ||
                             effect.op == Op::kOpened || effect.op == Op::kFile || effect.op == Op::kName;
                    });
  const bool receives =
      any([](const Effect& effect) { return effect.op == Op::kContents && effect.use == Effect::Use::kRead; }) ||
      (uses && any([](const Effect& effect) {
         return effect.op == Op::kCopy && effect.other == kHiddenObject && effect.name == kSent;
       }));
  const bool signals = any(
      [](const Effect& effect) { return effect.op == Op::kHiddenWrite && effect.name == "signals of the process"; });
  const bool opens = any([](const Effect& effect) { return effect.op == Op::kStoreFresh && effect.other == 1; }) ||
                     std::any_of(spec.results.begin(), spec.results.end(),
                                 [](const Result& result) { return result.kind == Result::Kind::kDescriptor; });
  const bool searches = any([](const Effect& effect) {
    const bool names = effect.op == Op::kHiddenRead || effect.op == Op::kHiddenWrite;
    return effect.op == Op::kFile || effect.op == Op::kOpened || (names && effect.name == "working directory");
  });
  const bool parent = spec.forks || any([](const Effect& effect) {
                        return effect.op == Op::kHiddenWrite && effect.name == "children";
                      });
  const bool environment = any([](const Effect& effect) {
    return (effect.op == Op::kHiddenRead || effect.op == Op::kHiddenWrite) && effect.name == "environment";
  });
  const auto add = [&](const std::string& text) { add_effect(spec, text, kept); };
  if (environment) add("reach-read hidden environment once");  // texts, some of which are the program's own: putenv()
  if (writes) {                                                // SIGPIPE, SIGXFSZ, SIGTTOU
    add("call hidden functions called by signals of writing with nothing");
    add("call hidden functions called by signals of writing with nothing nothing nothing");
  }
  std::set<std::string> streams;  // variables, which the program may set
  for (const Effect& effect : spec.effects)
    if ((effect.op == Op::kAppend || effect.op == Op::kFlush) && effect.arg == kHiddenObject)
      streams.insert(effect.name);
  for (const std::string& stream : streams) add("look " + stream);
  if (uses) {  // SIGIO, SIGURG and others, for whoever has the other end
    add("call hidden functions called by signals of descriptors with nothing");
    add("call hidden functions called by signals of descriptors with nothing nothing nothing");
  }
  if (uses) {  // traces where somebody watches, whatever for (inotify(7), fanotify(7))
    for (const char* watches : {"inotify_add_watch", "fanotify_mark"})
      add(std::string("descriptor hidden watchers of files write beside ") + watches);
  }
  const bool tells = any([](const Effect& effect) { return effect.name == kAccessTimes; });  // stat()
  if (!tells && any([](const Effect& effect) { return effect.op == Op::kContents || effect.op == Op::kFile; }))
    add("part " + kAccessTimes + std::string(kIfNamed));
  if (any([](const Effect& effect) {
        return effect.op == Op::kContents || effect.op == Op::kOpened || effect.op == Op::kFile || effect.closes;
      })) {  // a path may be that of a pipe, where reading takes, and opening shows (fifo(7))
    for (const char* makes : {"mkfifo", "mkfifoat", "mknod", "mknodat"})
      add(std::string("file any changed beside ") + makes);
  }
  give_up_with_descriptors(spec, kept);
  if (receives) {  // pages that stand in a pipe
    add("reach-read hidden pages in pipes once");
    for (const char* puts :
         {"splice", "tee", "sendfile", "sendfile64", "evbuffer_add_file", "evbuffer_add_file_segment"})
      add(std::string("file any read beside ") + puts);
  }
  if (signals || uses) add("descriptor hidden descriptors of signals write");  // of signalfd()
  if (uses) {  // a socket of another domain (netlink(7), packet(7)) changes what the whole machine has
    for (const char* makes : {"socket", "socketpair"})
      add("touch " + kStateOfSystem + " beside " + makes + " unless 0 is 1 2 10");
  }
  if (uses || parent) add("look signal handlers");
  if (writes || opens || parent) add("look limits of the process");
  if (searches || parent) add("look identity of the process");
  if (!parent) return;  // a child has what its parent has at that moment
  add("look working directory");
  add("look umask");
}

bool is_the_rest(const YamlNode& node) { return node.kind() == YamlNode::Kind::kText && node.text() == "the rest"; }

int only_argument(const std::string& text) {
  Words words(text);
  const int argument = words.argument();
  if (!words.done()) words.fail();
  return argument;
}

std::int64_t only_number(const std::string& text) {
  Words words(text);
  const std::int64_t number = words.number();
  if (!words.done()) words.fail();
  return number;
}

// `clock_gettime(0:0,1)`, `setjmp(local:0)`, `longjmp(within)`, `pthread_mutex_lock(takes:0)`.
ThreadCondition parse_condition(const std::string& text) {
  using Kind = ThreadCondition::Kind;
  static const std::map<std::string, Kind> kinds = {
      {"local", Kind::kLocal}, {"takes", Kind::kTakes}, {"gives", Kind::kGives}};
  ThreadCondition condition;
  if (text == "within") {
    condition.kind = Kind::kWithin;
    return condition;
  }
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) throw InputError("can't read the condition '" + text + "'");
  const std::string first = text.substr(0, colon);
  const std::string rest = text.substr(colon + 1);
  if (const auto kind = kinds.find(first); kind != kinds.end()) {
    condition.kind = kind->second;
    condition.arg = only_argument(rest);
    return condition;
  }
  condition.kind = Kind::kNumber;
  condition.arg = only_argument(first);
  std::istringstream numbers(rest);
  for (std::string number; std::getline(numbers, number, ',');) condition.numbers.insert(only_number(number));
  return condition;
}

void add_names(const YamlNode& names, std::unordered_set<std::string>& found) {
  if (names.kind() != YamlNode::Kind::kList) throw InputError("not a list of names, nor 'the rest'");
  for (const YamlNode* name : names.list()) {
    if (name->kind() == YamlNode::Kind::kList) {
      add_names(*name, found);
    } else if (!found.insert(name->text()).second) {
      throw InputError("'" + name->text() + "' is listed twice");
    }
  }
}

void add_thread_lists(const YamlNode& names, const ThreadLists::One& one, ThreadLists& found) {
  if (names.kind() != YamlNode::Kind::kList) throw InputError("not a list of names");
  for (const YamlNode* name : names.list()) {
    if (name->kind() == YamlNode::Kind::kList) {
      add_thread_lists(*name, one, found);
      continue;
    }
    std::string text = name->text();
    ThreadLists::One this_one = one;
    if (const std::size_t open = text.find('('); open != std::string::npos && text.back() == ')') {
      this_one.condition = parse_condition(text.substr(open + 1, text.size() - open - 2));
      text.resize(open);
    }
    if (!found.by_name.emplace(text, this_one).second) throw InputError("'" + text + "' is listed twice");
  }
}

}  // namespace

ThreadLists parse_thread_lists(const YamlNode& node) {
  static const std::map<std::string, ThreadLists::One> words = {
      {"free", {.use = ThreadUse::kNothing}},
      {"mode", {.use = ThreadUse::kMode}},
      {"system", {.use = ThreadUse::kSystem}},
      {"owner", {}},
      {"ties mode", {.ties = ThreadUse::kMode}},
      {"ties system", {.ties = ThreadUse::kSystem}},
      {"ties mode anywhere", {.ties = ThreadUse::kMode, .ties_anywhere = true}},
      {"ties system anywhere", {.ties = ThreadUse::kSystem, .ties_anywhere = true}}};
  if (node.kind() != YamlNode::Kind::kMap)
    throw InputError("not a list of names for each of free, mode, system, owner, ties mode, ties system");
  ThreadLists found;
  for (const auto& [key, value] : node.map()) {
    const auto word = words.find(key);
    if (word == words.end())
      throw InputError("unknown key '" + key + "' (free, mode, system, owner, ties mode, ties system)");
    if (is_the_rest(*value)) {
      found.rest = word->second.use;
    } else {
      add_thread_lists(*value, word->second, found);
    }
  }
  return found;
}

NameList parse_names(const YamlNode& node) {
  NameList found;
  found.all = is_the_rest(node);
  if (!found.all) add_names(node, found.names);
  return found;
}

// `fcntl(1:0,1)`: without its condition only where argument 1 is 0 or 1.
ConditionedNames parse_conditioned_names(const YamlNode& node) {
  ThreadLists lists;
  add_thread_lists(node, {}, lists);
  ConditionedNames found;
  for (const auto& [name, said] : lists.by_name) {
    std::optional<NumberCondition>& condition = found[name];
    if (said.condition.kind == ThreadCondition::Kind::kNone) continue;
    if (said.condition.kind != ThreadCondition::Kind::kNumber)
      throw InputError("'" + name + "': a condition here is an argument and its numbers");
    condition = {said.condition.arg, said.condition.numbers, NumberCondition::Test::kIsNot};
  }
  return found;
}

Spec parse_spec(const YamlNode& node, KeptEffects& kept) {
  Spec spec;
  if (node.kind() != YamlNode::Kind::kMap) throw InputError("not a list of effects, returns and callbacks");
  for (const auto& [key, value] : node.map()) {
    if (key == "effects") {
      add_effects(spec, *value, kept);
    } else if (key == "returns") {
      const bool several = value->kind() == YamlNode::Kind::kList;
      if (!several) spec.results.push_back(parse_result(value->text()));
      if (!several) continue;
      for (const YamlNode* result : value->list()) spec.results.push_back(parse_result(result->text()));
    } else if (key == "callbacks") {
      for (const YamlNode* callback : value->list()) spec.callbacks.push_back(parse_callback(*callback));
    } else if (key == "exposes") {
      if (value->text() != "events") throw InputError("only 'events' can be exposed");
      spec.exposes_events = true;
    } else if (key == "variable") {
      spec.variable = value->text();
    } else if (key == "dispatches") {
      spec.dispatch = parse_dispatch(*value);
    } else {
      throw InputError("unknown key '" + key + "' (effects, returns, callbacks, dispatches, exposes, variable)");
    }
  }
  add_consequences(spec, kept);
  if (spec.undone) mark_undone(spec.effects, kept);
  if (!spec.variable.empty() && node.map().size() > 1)
    throw InputError("a variable has no effects: nothing else can be said about it");
  if (spec.dispatch && node.map().size() > 1)
    throw InputError("a function that dispatches is the program's own: nothing else can be said about it");
  return spec;
}

}  // namespace heddle::elyze
