#include "rules.hpp"

extern "C" {
#include <clips/clips.h>
}
#include <array>
#include <ctime>
#include <exception>
#include <functional>
#include <string>
#include <utility>

namespace workbench {
namespace {

constexpr unsigned kLooksAtClock = 256;

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \n");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \n") + 1 - first);
}

// The kind of fact slot that a slot of an object becomes.
std::string typed(const SlotForm& slot) {
  switch (slot.holds) {
    case Holds::kText:
      return "(type STRING)";
    case Holds::kReal:
      return "(type FLOAT)";
    default:
      return "(type INTEGER)";
  }
}

bool in_facts(const ClassForm& form, unsigned slot) { return !is_section(form.kind) || slot != kSource; }

constexpr SlotForm kSum{"sum", Holds::kInteger, May::kRead};

Value sum_of(const Value& source) {
  return static_cast<std::int64_t>(std::hash<std::string_view>{}(bytes_in(source)) >> 1);
}

constexpr const char* kTemplates[] = {
    "(deftemplate item (slot id (type INTEGER)) (slot class (type SYMBOL)))",
    "(deftemplate mention (slot from (type INTEGER)) (slot file (type INTEGER)) (slot name (type STRING))"
    " (slot call (type SYMBOL) (allowed-symbols yes no)))",
    "(deftemplate changed (slot id (type INTEGER)) (slot class (type SYMBOL)) (slot slot (type SYMBOL))"
    " (slot old) (slot new))",
    "(deftemplate created (slot id (type INTEGER)) (slot class (type SYMBOL)))",
    "(deftemplate erased (slot id (type INTEGER)) (slot class (type SYMBOL)) (slot name (type STRING))"
    " (slot readonly (type INTEGER)))",
};

}  // namespace

struct Rules::Clips {
  void* environment = nullptr;
  std::string errors;  // what CLIPS complains of
  long line = 0;       // at the first complaint
  std::string printed;
  unsigned looks = 0;
  double most_seconds = 0;
  double deadline = 0;
};

// What CLIPS calls. No exception may leave these: there is C around them.
struct Functions {
  static Rules& rules(void* environment) { return *static_cast<Rules*>(GetEnvironmentContext(environment)); }

  static std::string executing(void* environment) {
    struct defrule* rule = EngineData(environment)->ExecutingRule;
    return rule == nullptr ? "" : "rule " + std::string(EnvGetDefruleName(environment, rule)) + ": ";
  }
  static void stop(void* environment) {
    SetEvaluationError(environment, TRUE);
    SetHaltExecution(environment, TRUE);
  }
  // For functions that change something.
  template <class Body>
  static void guarded_change(void* environment, const Body& body) {
    guarded(environment, [&](Rules& own, Objects& objects) {
      if (!own.runs_) throw Error("only the right-hand side of a rule changes objects");
      body(own, objects);
    });
  }
  template <class Body>
  static void guarded(void* environment, const Body& body) {
    Rules& own = rules(environment);
    try {
      if (own.objects_ == nullptr) throw Error("there are no objects while a file is loaded");
      body(own, *own.objects_);
    } catch (const std::exception& error) {
      if (own.failed_.empty()) own.failed_ = executing(environment) + error.what();
      stop(environment);
    }
  }

  // --- Arguments ---
  static dataObject argument(void* environment, int which) {
    dataObject data{};
    EnvRtnUnknown(environment, which, &data);
    return data;
  }
  static std::string text(void* environment, int which, const char* what) {
    const dataObject data = argument(environment, which);
    if (data.type != STRING && data.type != SYMBOL) throw Error(std::string(what) + " is to be a text");
    return DOToString(data);
  }
  static ObjectId object(void* environment, int which) {
    const dataObject data = argument(environment, which);
    if (data.type != INTEGER || DOToLong(data) < 0) throw Error("an object is to be a number");
    return {static_cast<std::uint64_t>(DOToLong(data))};
  }
  static unsigned slot_named(const ClassForm& form, const std::string& name) {
    for (unsigned i = 0; i < form.slots.size(); ++i)
      if (form.slots[i].name == name) return i;
    throw Error("class " + std::string(form.name) + " has no slot " + name);
  }
  // `kept` is where a text is until it has been used.
  static Value value(void* environment, int which, const SlotForm& slot, std::string& kept) {
    const dataObject data = argument(environment, which);
    switch (slot.holds) {
      case Holds::kText:
        kept = text(environment, which, std::string(slot.name).c_str());
        if (!is_text(kept)) throw Error(std::string(slot.name) + " is to be UTF-8");
        return std::string_view(kept);
      case Holds::kReal:
        if (data.type == FLOAT) return DOToDouble(data);
        if (data.type == INTEGER) return static_cast<double>(DOToLong(data));
        break;
      case Holds::kInteger:
        if (data.type == INTEGER) return static_cast<std::int64_t>(DOToLong(data));
        break;
      case Holds::kObject:
        if (const ObjectId id = object(environment, which)) return id;
        return {};
    }
    throw Error(std::string(slot.name) + " is to be a number");
  }

  // --- Functions of rules ---
  static long long make(void* environment) {
    long long made = 0;
    guarded_change(environment, [&](Rules&, Objects& objects) {
      const int count = EnvRtnArgCount(environment);
      const std::string name = text(environment, 1, "the class");
      const ClassForm* form = form_named(name);
      if (form == nullptr) throw Error("there is no class " + name);
      if (count % 2 == 0) throw Error("make: a slot has no value");
      const ObjectId id = objects.make(*form);
      made = static_cast<long long>(id.number);
      for (int i = 2; i < count; i += 2) {
        const unsigned slot = slot_named(*form, text(environment, i, "a slot"));
        std::string kept;
        objects.put(id, slot, value(environment, i + 1, form->slots[slot], kept));
      }
      objects.done(id);
    });
    return made;
  }
  static void put(void* environment) {
    guarded_change(environment, [&](Rules&, Objects& objects) {
      const ObjectId id = object(environment, 1);
      const ClassForm* form = objects.form(id);
      if (form == nullptr) throw Error("there is no object " + std::to_string(id.number));
      const unsigned slot = slot_named(*form, text(environment, 2, "a slot"));
      std::string kept;
      objects.put(id, slot, value(environment, 3, form->slots[slot], kept));
      objects.done(id);
    });
  }
  static void drop(void* environment) {
    guarded_change(environment, [&](Rules&, Objects& objects) { objects.drop(object(environment, 1)); });
  }
  static void refuse(void* environment) {
    guarded_change(environment, [&](Rules& own, Objects&) {
      own.refused_ = text(environment, 1, "why");
      if (own.refused_.empty()) own.refused_ = executing(environment) + "refused";
    });
    SetHaltExecution(environment, TRUE);
  }
  static void source(void* environment, DATA_OBJECT* result) {
    std::string found;
    guarded(environment, [&](Rules&, Objects& objects) {
      const ObjectId id = object(environment, 1);
      const ClassForm* form = objects.form(id);
      if (form == nullptr || !is_section(form->kind)) throw Error("source: it is no section");
      found = text_in(objects.get(id, kSource));
    });
    result->type = STRING;
    result->value = EnvAddSymbol(environment, found.c_str());
  }

  // --- What it prints, and when it is stopped ---
  static int takes(void*, const char* name) {
    const std::string_view to(name);
    return static_cast<int>(to == "werror" || to == "wwarning" || to == "wdisplay" || to == "wtrace" ||
                            to == "wdialog" || to == "stdout" || to == "t");
  }
  static int print(void* environment, const char* name, const char* text) {
    Rules::Clips& clips = *rules(environment).clips_;
    if (std::string_view(name) == "werror" || std::string_view(name) == "wwarning") {
      if (trimmed(clips.errors).empty()) clips.line = GetLineCount(environment);
      clips.errors += text;
    } else {
      clips.printed += text;
    }
    return 1;
  }
  static int ended(void*, int) { return 1; }
  static void look_at_clock(void* environment) {
    Rules& own = rules(environment);
    if (!own.runs_ || ++own.clips_->looks % kLooksAtClock != 0) return;
    if (thread_seconds() < own.clips_->deadline) return;
    if (own.failed_.empty())
      own.failed_ = executing(environment) + "the rules do not come to an end: stopped after " +
                    std::to_string(static_cast<int>(own.clips_->most_seconds)) + " s";
    stop(environment);
  }
};

Rules::Rules(const std::vector<std::filesystem::path>& files) : clips_(std::make_unique<Clips>()) {
  void* environment = clips_->environment = CreateEnvironment();
  SetEnvironmentContext(environment, this);
  EnvAddRouter(environment, "workbench", 40, Functions::takes, Functions::print, nullptr, nullptr, Functions::ended);
  EnvAddPeriodicFunction(environment, "clock", Functions::look_at_clock, 0);
  const auto function = [&](const char* name, char returns, auto* pointer, const char* arguments) {
    EnvDefineFunction2(environment, name, returns, reinterpret_cast<int (*)(void*)>(reinterpret_cast<void*>(pointer)),
                       name, arguments);
  };
  function("make", 'g', &Functions::make, "1*");
  function("put", 'v', &Functions::put, "33");
  function("drop", 'v', &Functions::drop, "11");
  function("refuse", 'v', &Functions::refuse, "11");
  function("source", 'u', &Functions::source, "11");
  try {
    define_templates();
    for (const std::filesystem::path& file : files) load(file);
  } catch (...) {
    DestroyEnvironment(environment);
    throw;
  }
  EnvReset(environment);
}

Rules::~Rules() { DestroyEnvironment(clips_->environment); }

void Rules::define_templates() {
  const auto build = [&](const std::string& text) {
    if (EnvBuild(clips_->environment, text.c_str()) == 0) throw Error("CLIPS: " + trimmed(clips_->errors));
  };
  for (const char* text : kTemplates) build(text);
  for (const ClassForm& form : class_forms()) {
    std::string text = "(deftemplate " + std::string(form.name) + " (slot id (type INTEGER))";
    for (unsigned i = 0; i < form.slots.size(); ++i)
      if (!in_facts(form, i))
        text += " (slot sum (type INTEGER))";
      else
        text += " (slot " + std::string(form.slots[i].name) + " " + typed(form.slots[i]) + ")";
    build(text + ")");
  }
}

void Rules::load(const std::filesystem::path& file) {
  const auto count_rules = [&] {
    std::size_t count = 0;
    for (void* rule = nullptr; (rule = EnvGetNextDefrule(clips_->environment, rule)) != nullptr;) ++count;
    return count;
  };
  clips_->errors.clear();
  clips_->line = 0;
  const std::size_t before = count_rules();
  const int result = EnvLoad(clips_->environment, file.c_str());
  const std::string why = trimmed(clips_->errors);
  if (result == 0 && why.empty()) throw RulesError(file, file.string() + ": cannot be read");
  if (result != 1 || !why.empty()) {
    const std::string first = why.substr(0, why.find("\n\n["));  // errors that follow are mostly of the first
    throw RulesError(file, file.string() + ":" + std::to_string(clips_->line) + ": " + first);
  }
  counts_[file] = count_rules() - before;
}

std::size_t Rules::count(const std::filesystem::path& file) const {
  const auto found = counts_.find(file);
  return found == counts_.end() ? 0 : found->second;
}

// --- Facts ---

namespace {

// A fact in the making.
class Making {
 public:
  Making(void* environment, std::string_view type)
      : environment_(environment),
        fact_(EnvCreateFact(environment, EnvFindDeftemplate(environment, std::string(type).c_str()))) {}
  void put(std::string_view slot, int type, void* value) {
    DATA_OBJECT data{};
    data.type = static_cast<unsigned short>(type);
    data.value = value;
    EnvPutFactSlot(environment_, fact_, std::string(slot).c_str(), &data);
  }
  void put(std::string_view slot, ObjectId id) {
    put(slot, INTEGER, EnvAddLong(environment_, static_cast<long long>(id.number)));
  }
  void put_symbol(std::string_view slot, std::string_view name) {
    put(slot, SYMBOL, EnvAddSymbol(environment_, std::string(name).c_str()));
  }
  void put(std::string_view slot, const SlotForm& form, const Value& value) {
    switch (form.holds) {
      case Holds::kText:
        put(slot, STRING, EnvAddSymbol(environment_, std::string(text_in(value)).c_str()));
        break;
      case Holds::kReal:
        put(slot, FLOAT, EnvAddDouble(environment_, real_in(value)));
        break;
      case Holds::kInteger:
        put(slot, INTEGER, EnvAddLong(environment_, integer_in(value)));
        break;
      case Holds::kObject:
        put(slot, object_in(value));
        break;
    }
  }
  // Null if there is such a fact already.
  void* done() { return EnvAssert(environment_, fact_); }

 private:
  void* environment_;
  struct fact* fact_;
};

bool holds(void* environment, void* fact, std::string_view slot, const SlotForm& form, const Value& value) {
  DATA_OBJECT data{};
  if (EnvGetFactSlot(environment, fact, std::string(slot).c_str(), &data) == 0) return false;
  switch (form.holds) {
    case Holds::kText:
      return text_in(value) == DOToString(data);
    case Holds::kReal:
      return real_in(value) == DOToDouble(data);
    case Holds::kInteger:
      return integer_in(value) == DOToLong(data);
    case Holds::kObject:
      return object_in(value).number == static_cast<std::uint64_t>(DOToLong(data));
  }
  return false;
}

}  // namespace

// A rule may retract any fact: its memory stays until it is released here.
void Rules::keep(void* fact) { EnvIncrementFactCount(clips_->environment, fact); }

void Rules::release(void* fact) {
  if (EnvFactExistp(clips_->environment, fact) != 0) EnvRetract(clips_->environment, fact);
  EnvDecrementFactCount(clips_->environment, fact);
}

void Rules::put(ObjectId id, const ClassForm& form, const std::vector<Value>& slots) {
  void* environment = clips_->environment;
  std::vector<void*>& facts = facts_[id];
  if (!facts.empty() && EnvFactExistp(environment, facts.front()) != 0) {
    bool same = true;
    for (unsigned i = 0; i < form.slots.size() && same; ++i)
      same = in_facts(form, i) ? holds(environment, facts.front(), form.slots[i].name, form.slots[i], slots[i])
                               : holds(environment, facts.front(), "sum", kSum, sum_of(slots[i]));
    if (same) return;
  }
  // Before anything is made: a retraction may free what no fact holds yet.
  const bool has_object = facts.size() == 2 && EnvFactExistp(environment, facts[1]) != 0;
  for (std::size_t i = 0; i < facts.size(); ++i)
    if (i == 0 || !has_object) release(facts[i]);
  facts.resize(2);
  Making making(environment, form.name);
  making.put("id", id);
  for (unsigned i = 0; i < form.slots.size(); ++i)
    if (in_facts(form, i))
      making.put(form.slots[i].name, form.slots[i], slots[i]);
    else
      making.put("sum", kSum, sum_of(slots[i]));
  keep(facts[0] = making.done());
  if (has_object) return;
  Making object(environment, "item");
  object.put("id", id);
  object.put_symbol("class", form.name);
  keep(facts[1] = object.done());
}

void Rules::drop(ObjectId id) {
  if (const auto found = facts_.find(id); found != facts_.end()) {
    for (void* fact : found->second) release(fact);
    facts_.erase(found);
  }
  if (const auto found = mentioned_.find(id); found != mentioned_.end()) {
    for (const auto& [name, fact] : found->second) release(fact);
    mentioned_.erase(found);
  }
}

void Rules::mention(ObjectId from, ObjectId file, const std::string& name, bool call) {
  forget_mention(from, name);
  Making making(clips_->environment, "mention");
  making.put("from", from);
  making.put("file", file);
  making.put("name", STRING, EnvAddSymbol(clips_->environment, name.c_str()));
  making.put_symbol("call", call ? "yes" : "no");
  if (void* fact = making.done(); fact != nullptr) {
    keep(fact);
    mentioned_[from][name] = fact;
  }
}

void Rules::forget_mention(ObjectId from, const std::string& name) {
  const auto of_section = mentioned_.find(from);
  if (of_section == mentioned_.end()) return;
  const auto found = of_section->second.find(name);
  if (found == of_section->second.end()) return;
  release(found->second);
  of_section->second.erase(found);
}

void Rules::add_event(void* fact) {
  if (fact == nullptr) return;
  keep(fact);
  events_.push_back(fact);
}

void Rules::changed(ObjectId id, const ClassForm& form, unsigned slot, const Value& before, const Value& after) {
  Making making(clips_->environment, "changed");
  making.put("id", id);
  making.put_symbol("class", form.name);
  making.put_symbol("slot", form.slots[slot].name);
  if (in_facts(form, slot)) {
    making.put("old", form.slots[slot], before);
    making.put("new", form.slots[slot], after);
  } else {
    making.put_symbol("old", "nil");
    making.put_symbol("new", "nil");
  }
  add_event(making.done());
}

void Rules::created(ObjectId id, const ClassForm& form) {
  Making making(clips_->environment, "created");
  making.put("id", id);
  making.put_symbol("class", form.name);
  add_event(making.done());
}

void Rules::erased(ObjectId id, const ClassForm& form, std::string_view name, bool readonly) {
  Making making(clips_->environment, "erased");
  making.put("id", id);
  making.put_symbol("class", form.name);
  making.put("name", STRING, EnvAddSymbol(clips_->environment, std::string(name).c_str()));
  making.put("readonly", INTEGER, EnvAddLong(clips_->environment, readonly ? 1 : 0));
  add_event(making.done());
}

// --- Running ---

std::string Rules::run(double most_seconds, std::string& said) {
  void* environment = clips_->environment;
  refused_.clear();
  clips_->printed.clear();
  clips_->most_seconds = most_seconds;
  clips_->deadline = thread_seconds() + most_seconds;
  SetHaltExecution(environment, FALSE);
  SetEvaluationError(environment, FALSE);
  runs_ = true;
  if (failed_.empty()) fired_ += static_cast<std::uint64_t>(EnvRun(environment, -1));
  runs_ = false;
  // What failed while facts were put counts, too.
  const std::string failed = std::exchange(failed_, {});
  const std::string errors = trimmed(std::exchange(clips_->errors, {}));
  SetHaltExecution(environment, FALSE);
  SetEvaluationError(environment, FALSE);
  for (void* fact : events_) release(fact);
  events_.clear();
  said += clips_->printed;
  if (!failed.empty()) return failed;
  if (!refused_.empty()) return refused_;
  return errors;
}

}  // namespace workbench
