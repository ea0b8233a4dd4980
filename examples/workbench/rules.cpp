#include "rules.hpp"

extern "C" {
#include <clips/clips.h>
}
#include <algorithm>
#include <array>
#include <ctime>
#include <exception>
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

// Facts of other kinds than objects; in the order of the templates.
enum class Special : std::uint8_t { kItem, kDefinition, kReference, kMention, kChanged, kCreated, kErased };
constexpr std::array kSpecials = {"item", "definition", "reference", "mention", "changed", "created", "erased"};
constexpr std::array kTemplates = {
    "(deftemplate item (slot id (type INTEGER)) (slot class (type SYMBOL)))",
    "(deftemplate definition (slot id (type INTEGER)) (slot class (type SYMBOL)) (slot file (type INTEGER))"
    " (slot name (type STRING)))",
    "(deftemplate reference (slot id (type INTEGER)) (slot from (type INTEGER)) (slot to (type INTEGER))"
    " (slot name (type STRING)) (slot rule (type STRING)))",
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
  // Looked up once; the count of their users keeps them as they are, whatever a rule file says.
  std::array<void*, kSpecials.size()> specials{};
  struct Form {
    void* type = nullptr;
    void* name = nullptr;  // symbols
    std::vector<void*> slots;
  };
  std::vector<Form> forms;  // by Kind
  void* yes = nullptr;
  void* no = nullptr;
  void* nil = nullptr;

  void* special(Special which) const { return specials[static_cast<std::size_t>(which)]; }
  const Form& form(const ClassForm& of) const { return forms[static_cast<std::size_t>(of.kind)]; }
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
  // Stays until the function has returned.
  static std::string_view text(void* environment, int which, std::string_view what) {
    const dataObject data = argument(environment, which);
    if (data.type != STRING && data.type != SYMBOL) throw Error(std::string(what) + " is to be a text");
    return DOToString(data);
  }
  static ObjectId object(void* environment, int which) {
    const dataObject data = argument(environment, which);
    if (data.type != INTEGER || DOToLong(data) < 0) throw Error("an object is to be a number");
    return {static_cast<std::uint64_t>(DOToLong(data))};
  }
  static unsigned slot_named(const ClassForm& form, std::string_view name) {
    for (unsigned i = 0; i < form.slots.size(); ++i)
      if (form.slots[i].name == name) return i;
    throw Error("class " + std::string(form.name) + " has no slot " + std::string(name));
  }
  static Value value(void* environment, int which, const SlotForm& slot) {
    if (slot.holds == Holds::kText) {
      const std::string_view said = text(environment, which, slot.name);
      if (!is_text(said)) throw Error(std::string(slot.name) + " is to be UTF-8");
      return said;
    }
    const dataObject data = argument(environment, which);
    switch (slot.holds) {
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
      case Holds::kText:
        break;
    }
    throw Error(std::string(slot.name) + " is to be a number");
  }

  // --- Functions of rules ---
  static long long make(void* environment) {
    long long made = 0;
    guarded_change(environment, [&](Rules&, Objects& objects) {
      const int count = EnvRtnArgCount(environment);
      const std::string_view name = text(environment, 1, "the class");
      const ClassForm* form = form_named(name);
      if (form == nullptr) throw Error("there is no class " + std::string(name));
      if (count % 2 == 0) throw Error("make: a slot has no value");
      const ObjectId id = objects.make(*form);
      made = static_cast<long long>(id.number);
      for (int i = 2; i < count; i += 2) {
        const unsigned slot = slot_named(*form, text(environment, i, "a slot"));
        objects.put(id, *form, slot, value(environment, i + 1, form->slots[slot]));
      }
      objects.done(id, *form);
    });
    return made;
  }
  static void put(void* environment) {
    guarded_change(environment, [&](Rules&, Objects& objects) {
      const ObjectId id = object(environment, 1);
      const ClassForm* form = objects.form(id);
      if (form == nullptr) throw Error("there is no object " + std::to_string(id.number));
      const unsigned slot = slot_named(*form, text(environment, 2, "a slot"));
      objects.put(id, *form, slot, value(environment, 3, form->slots[slot]));
      objects.done(id, *form);
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
  void* environment = clips_->environment;
  const auto symbol = [&](std::string_view text) {
    void* found = EnvAddSymbol(environment, std::string(text).c_str());
    IncrementSymbolCount(found);
    return found;
  };
  const auto find = [&](std::string_view name) {
    void* found = EnvFindDeftemplate(environment, std::string(name).c_str());
    IncrementDeftemplateBusyCount(environment, found);
    return found;
  };
  clips_->yes = symbol("yes");
  clips_->no = symbol("no");
  clips_->nil = symbol("nil");
  for (std::size_t i = 0; i < kSpecials.size(); ++i) {
    build(kTemplates[i]);
    clips_->specials[i] = find(kSpecials[i]);
  }
  for (const ClassForm& form : class_forms()) {
    std::string text = "(deftemplate " + std::string(form.name) + " (slot id (type INTEGER))";
    for (unsigned i = 0; i < form.slots.size(); ++i)
      if (!in_facts(form, i))
        text += " (slot sum (type INTEGER))";
      else
        text += " (slot " + std::string(form.slots[i].name) + " " + typed(form.slots[i]) + ")";
    build(text + ")");
    Clips::Form& own = clips_->forms.emplace_back();
    own.type = find(form.name);
    own.name = symbol(form.name);
    for (const SlotForm& slot : form.slots) own.slots.push_back(symbol(slot.name));
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

// A fact in the making: its slots one after the other, in the order of its template.
class Making {
 public:
  Making(void* environment, void* type)
      : environment_(environment), fact_(EnvCreateFact(environment, type)), next_(fact_->theProposition.theFields) {}
  Making& add(int type, void* value) {
    next_->type = static_cast<unsigned short>(type);
    next_++->value = value;
    return *this;
  }
  Making& add(const field& same) {
    *next_++ = same;
    return *this;
  }
  Making& add(ObjectId id) { return add(INTEGER, EnvAddLong(environment_, static_cast<long long>(id.number))); }
  Making& add(std::string_view text) { return add(STRING, EnvAddSymbol(environment_, std::string(text).c_str())); }
  Making& add(Holds holds, const Value& value) {
    switch (holds) {
      case Holds::kText:
        return add(text_in(value));
      case Holds::kReal:
        return add(FLOAT, EnvAddDouble(environment_, real_in(value)));
      case Holds::kInteger:
        return add(INTEGER, EnvAddLong(environment_, integer_in(value)));
      case Holds::kObject:
        break;
    }
    return add(object_in(value));
  }
  // Null if there is such a fact already.
  void* done() { return EnvAssert(environment_, fact_); }

 private:
  void* environment_;
  fact* fact_;
  field* next_;
};

bool has(const field& slot, Holds holds, const Value& value) {
  switch (holds) {
    case Holds::kText:
      return text_in(value) == ValueToString(slot.value);
    case Holds::kReal:
      return real_in(value) == ValueToDouble(slot.value);
    case Holds::kInteger:
      return integer_in(value) == ValueToLong(slot.value);
    case Holds::kObject:
      break;
  }
  return object_in(value).number == static_cast<std::uint64_t>(ValueToLong(slot.value));
}

// The slots of a fact that there is, behind the object's number; null if a rule has retracted it.
const field* slots_of(void* environment, void* known) {
  if (known == nullptr || EnvFactExistp(environment, known) == 0) return nullptr;
  return static_cast<fact*>(known)->theProposition.theFields + 1;
}

// What no fact holds is not freed meanwhile: values of a fact that goes are used for the one that comes. And freeing
// it all at once takes less.
class NothingIsFreed {
 public:
  explicit NothingIsFreed(void* environment) : environment_(environment) { EnvIncrementGCLocks(environment_); }
  NothingIsFreed(const NothingIsFreed&) = delete;
  NothingIsFreed& operator=(const NothingIsFreed&) = delete;
  ~NothingIsFreed() { EnvDecrementGCLocks(environment_); }

 private:
  void* environment_;
};

}  // namespace

// A rule may retract any fact: its memory stays until it is released here.
void Rules::keep(void* fact) {
  if (fact != nullptr) EnvIncrementFactCount(clips_->environment, fact);
}

void Rules::release(void* fact) {
  if (fact == nullptr) return;
  if (EnvFactExistp(clips_->environment, fact) != 0) EnvRetract(clips_->environment, fact);
  EnvDecrementFactCount(clips_->environment, fact);
}

void Rules::put(ObjectId id, const ClassForm& form, std::span<const Value> slots) {
  void* environment = clips_->environment;
  Facts& own = facts_[id.number];
  // A section's source is its sum.
  const auto holds = [&](unsigned slot) { return in_facts(form, slot) ? form.slots[slot].holds : Holds::kInteger; };
  const field* old = slots_of(environment, own.object);
  const auto same = [&](unsigned slot) { return old != nullptr && has(old[slot], holds(slot), slots[slot]); };
  unsigned first = 0;  // that is not the same
  while (first < slots.size() && same(first)) ++first;
  const NothingIsFreed locked(environment);
  if (first < slots.size()) {
    Making making(environment, clips_->form(form).type);
    making.add(id);
    for (unsigned i = 0; i < slots.size(); ++i) {
      if (i < first || (i > first && same(i)))
        making.add(old[i]);
      else
        making.add(holds(i), slots[i]);
    }
    release(own.object);
    keep(own.object = making.done());
  }
  if (slots_of(environment, own.item) == nullptr) {
    release(own.item);
    Making making(environment, clips_->special(Special::kItem));
    keep(own.item = making.add(id).add(SYMBOL, clips_->form(form).name).done());
  }
  const bool defines = form.kind == Kind::kFunction || form.kind == Kind::kClass;
  if (!defines && form.kind != Kind::kLink) return;
  constexpr std::array kDefines = {unsigned{kFile}, unsigned{kName}};
  constexpr std::array kRefers = {unsigned{kFrom}, unsigned{kTo}, unsigned{kLinkName}, unsigned{kLinkRule}};
  const std::span<const unsigned> which = defines ? std::span<const unsigned>(kDefines) : kRefers;
  const field* named = slots_of(environment, own.name);
  if (named != nullptr && defines) ++named;  // behind its class
  const auto stays = [&](unsigned slot) { return has(*named++, holds(slot), slots[slot]); };
  if (named != nullptr && std::all_of(which.begin(), which.end(), stays)) return;
  release(own.name);
  Making making(environment, clips_->special(defines ? Special::kDefinition : Special::kReference));
  making.add(id);
  if (defines) making.add(SYMBOL, clips_->form(form).name);
  for (const unsigned slot : which) making.add(holds(slot), slots[slot]);
  keep(own.name = making.done());
}

void Rules::drop(ObjectId id) {
  if (const auto found = facts_.find(id.number); found != facts_.end()) {
    for (void* fact : {found->second.object, found->second.item, found->second.name}) release(fact);
    facts_.erase(found);
  }
  const auto first = mentioned_.lower_bound({id, 0});
  auto last = first;
  for (; last != mentioned_.end() && last->first.first == id; ++last) release(last->second);
  mentioned_.erase(first, last);
}

void Rules::mention(ObjectId from, ObjectId file, std::uint32_t number, const std::string& name, bool call) {
  forget_mention(from, number);
  Making making(clips_->environment, clips_->special(Special::kMention));
  making.add(from).add(file).add(name).add(SYMBOL, call ? clips_->yes : clips_->no);
  if (void* fact = making.done(); fact != nullptr) {
    keep(fact);
    mentioned_[{from, number}] = fact;
  }
}

void Rules::forget_mention(ObjectId from, std::uint32_t number) {
  const auto found = mentioned_.find({from, number});
  if (found == mentioned_.end()) return;
  release(found->second);
  mentioned_.erase(found);
}

void Rules::add_event(void* fact) {
  if (fact == nullptr) return;
  keep(fact);
  events_.push_back(fact);
}

void Rules::changed(ObjectId id, const ClassForm& form, unsigned slot, const Value& before, const Value& after) {
  const Clips::Form& own = clips_->form(form);
  Making making(clips_->environment, clips_->special(Special::kChanged));
  making.add(id).add(SYMBOL, own.name).add(SYMBOL, own.slots[slot]);
  if (in_facts(form, slot))
    making.add(form.slots[slot].holds, before).add(form.slots[slot].holds, after);
  else
    making.add(SYMBOL, clips_->nil).add(SYMBOL, clips_->nil);
  add_event(making.done());
}

void Rules::created(ObjectId id, const ClassForm& form) {
  Making making(clips_->environment, clips_->special(Special::kCreated));
  add_event(making.add(id).add(SYMBOL, clips_->form(form).name).done());
}

void Rules::erased(ObjectId id, const ClassForm& form, std::string_view name, bool readonly) {
  Making making(clips_->environment, clips_->special(Special::kErased));
  making.add(id).add(SYMBOL, clips_->form(form).name).add(name);
  add_event(making.add(Holds::kInteger, std::int64_t{readonly}).done());
}

// --- Running ---

std::string Rules::run(double most_seconds, std::string& said) {
  void* environment = clips_->environment;
  refused_.clear();
  clips_->printed.clear();
  clips_->most_seconds = most_seconds;
  SetHaltExecution(environment, FALSE);
  SetEvaluationError(environment, FALSE);
  if (failed_.empty() && EnvGetNextActivation(environment, nullptr) != nullptr) {
    clips_->deadline = thread_seconds() + most_seconds;
    runs_ = true;
    fired_ += static_cast<std::uint64_t>(EnvRun(environment, -1));
    runs_ = false;
  }
  // What failed while facts were put counts, too.
  const std::string failed = std::exchange(failed_, {});
  const std::string errors = trimmed(std::exchange(clips_->errors, {}));
  SetHaltExecution(environment, FALSE);
  SetEvaluationError(environment, FALSE);
  {
    const NothingIsFreed locked(environment);
    for (void* fact : events_) release(fact);
  }
  events_.clear();
  said += clips_->printed;
  if (!failed.empty()) return failed;
  if (!refused_.empty()) return refused_;
  return errors;
}

}  // namespace workbench
