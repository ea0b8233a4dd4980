#include "workshop.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace workbench {
namespace {

using What = Work::What;

constexpr double kMostOfEdit = 3;   // seconds that rules may take
constexpr double kMostOfAll = 300;  // for all that there is

// Rules look at what is being changed until this is gone.
class Looking {
 public:
  Looking(Rules& rules, Objects& changes, Objects& stored) : rules_(rules), stored_(stored) { rules_.look_at(changes); }
  Looking(const Looking&) = delete;
  Looking& operator=(const Looking&) = delete;
  ~Looking() { rules_.look_at(stored_); }

 private:
  Rules& rules_;
  Objects& stored_;
};

std::vector<ObjectId> touched_in(const Work& work) {
  std::vector<ObjectId> all;
  for (const Work::Touched& each : work.touched()) all.push_back(each.object);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// What tells rules that a source is another.
std::int64_t sum_of(std::string_view source) {
  return static_cast<std::int64_t>(std::hash<std::string_view>{}(source) >> 1);
}

bool is_word(std::string_view text) {
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
         std::all_of(text.begin(), text.end(), in_word);
}

// Each `old` that is a word of its own.
std::string with_word_replaced(std::string_view text, std::string_view old, std::string_view by) {
  const auto in_word = [&](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  std::string all;
  std::size_t done = 0;
  for (std::size_t at = text.find(old); at != std::string_view::npos; at = text.find(old, at + old.size())) {
    if ((at > 0 && in_word(at - 1)) || in_word(at + old.size())) continue;
    all.append(text, done, at - done).append(by);
    done = at + old.size();
  }
  return all.append(text, done);
}

// The word behind `class`, `struct` or the like: of a class that is cut before its end, which Ctags does not see.
std::string class_in(std::string_view source) {
  for (const std::string_view keyword : {"class ", "struct ", "union ", "interface "}) {
    const std::size_t at = source.find(keyword);
    if (at == std::string_view::npos) continue;
    const std::size_t begin = at + keyword.size();
    std::size_t end = begin;
    while (end < source.size() && is_word(source.substr(begin, end + 1 - begin))) ++end;
    if (end > begin) return std::string(source.substr(begin, end - begin));
  }
  return {};
}

[[noreturn]] void refuse(const std::string& why) { throw Error(why); }

}  // namespace

// What rules change.
class Workshop::Changes final : public Objects {
 public:
  Changes(Workshop& workshop, Work& work) : workshop_(workshop), work_(work) {}

  ObjectId make(const ClassForm& form) override { return work_.create(workshop_.type(form.kind)); }
  void put(ObjectId id, const ClassForm& form, unsigned slot, const Value& value) override {
    work_.set(id, slot, value);
    if (is_section(form.kind) && slot == kSource) work_.set(id, kLines, count_lines(text_in(work_.get(id, kSource))));
  }
  void done(ObjectId id, const ClassForm& form) override {
    workshop_.put_facts(id, form, [&](unsigned slot) { return work_.get(id, slot); });
  }
  void drop(ObjectId id) override {
    if (form(id) == nullptr) return;  // two rules may agree
    work_.erase(id);
    workshop_.erased_.insert(id);
    workshop_.drop_facts(id);
  }
  const ClassForm* form(ObjectId id) override {
    return workshop_.is_there(work_, id) ? workshop_.form_of(work_, id) : nullptr;
  }
  Value get(ObjectId id, unsigned slot) override { return work_.get(id, slot); }

 private:
  Workshop& workshop_;
  Work& work_;
};

// What the store says, for rules that look at it while nothing is being changed.
class Workshop::Stored final : public Objects {
 public:
  explicit Stored(Workshop& workshop) : workshop_(workshop) {}

  ObjectId make(const ClassForm& /*form*/) override { throw Error("nothing is changed now"); }
  void put(ObjectId /*id*/, const ClassForm& /*form*/, unsigned /*slot*/, const Value& /*value*/) override {
    throw Error("nothing is changed now");
  }
  void done(ObjectId /*id*/, const ClassForm& /*form*/) override {}
  void drop(ObjectId /*id*/) override { throw Error("nothing is changed now"); }
  const ClassForm* form(ObjectId id) override {
    pinned_ = workshop_.owner_.store().pin(id);
    const std::optional<Kind> kind = pinned_ ? workshop_.kinds_.kind(pinned_.type()) : std::nullopt;
    return kind ? &workbench::form_of(*kind) : nullptr;
  }
  Value get(ObjectId id, unsigned slot) override {
    pinned_ = workshop_.owner_.store().pin(id);
    return pinned_.get(slot);
  }

 private:
  Workshop& workshop_;
  heddle::objectbase::Pinned pinned_;
};

Workshop::Workshop(const std::filesystem::path& store, Transport transport,
                   std::vector<std::filesystem::path> rule_files, Say say)
    : rule_files_(std::move(rule_files)),
      say_(std::move(say)),
      owner_(store, transport, {.decide = [this](Work& work) { return decide(work); }}),
      kinds_(owner_.store()),
      stored_(std::make_unique<Stored>(*this)),
      rules_(std::make_unique<Rules>(rule_files_)) {
  for (const ClassForm& form : class_forms()) types_.push_back(*owner_.store().find(form.name));
  fill_rules();
  settle_rules({}, {});
}

Workshop::~Workshop() = default;

const ClassForm* Workshop::form_of(const Work& work, ObjectId id) const {
  const std::optional<Kind> kind = kinds_.kind(work.type(id));
  return kind ? &workbench::form_of(*kind) : nullptr;
}

std::string Workshop::path_of(const Work& work, ObjectId section) const {
  return std::string(text_in(work.get(object_in(work.get(section, kFile)), kPath)));
}

std::pair<ObjectId, ObjectId> Workshop::neighbours(const Work& work, ObjectId section) const {
  const ObjectId file = object_in(work.get(section, kFile));
  const auto order = [&](ObjectId id) { return std::pair(real_in(work.get(id, kPlace)), id); };
  const auto own = order(section);
  std::pair<ObjectId, ObjectId> found;
  for (const auto& [id, other] : sections_) {
    if (other.file != file || id == section || !is_there(work, id)) continue;
    const auto place = order(id);
    if (place < own && (!found.first || place > order(found.first))) found.first = id;
    if (place > own && (!found.second || place < order(found.second))) found.second = id;
  }
  return found;
}

const Words& Workshop::words_of(std::string_view source, Style style) {
  if (read_.first != source || read_style_ != style) {
    read_.first = source;
    read_.second = names_.read(source, style);
    read_style_ = style;
  }
  return read_.second;
}

Style Workshop::style_in(ObjectId file) const {
  const auto found = styles_.find(file.number);
  return found == styles_.end() ? Style::kOther : found->second;
}

// --- An edit ---

std::string Workshop::decide(Work& work) {
  if (owner_.store().commit() < last_commit_) take_back(last_);
  std::string refused;
  std::string said;
  erased_.clear();
  for (const Work::Touched& each : work.touched())
    if (each.what == What::kErased) erased_.insert(each.object);
  Changes changes(*this, work);
  try {
    check(work);
    derive(work);
    const Looking looking(*rules_, changes, *stored_);
    reflect(work);
    announce(work);
    refused = rules_->run(kMostOfEdit, said);
  } catch (const std::exception& error) {
    refused = error.what();
  }
  if (!said.empty()) say_(said);
  if (!refused.empty()) {
    take_back(touched_in(work));
    return refused;
  }
  last_ = touched_in(work);
  last_commit_ = owner_.store().commit() + 1;
  return {};
}

// An editor may write what the classes' forms say, and nothing else.
void Workshop::check(const Work& work) const {
  std::set<ObjectId> created;
  for (const Work::Touched& each : work.touched()) {
    const ClassForm* form = form_of(work, each.object);
    if (form == nullptr) refuse("it is no object of the workbench");
    const std::string name(form->name);
    if (each.what == What::kCreated) {
      if (!form->editors_create) refuse("an editor makes no " + name);
      created.insert(each.object);
    } else if (each.what == What::kErased) {
      if (!form->editors_erase) refuse("an editor erases no " + name);
    } else if (is_there(work, each.object)) {
      if (each.slot >= form->slots.size()) refuse(name + " has no such slot");
      const SlotForm& slot = form->slots[each.slot];
      const std::string what = name + ": " + std::string(slot.name);
      if (slot.editor == May::kRead || (slot.editor == May::kCreate && !created.contains(each.object)))
        refuse(what + " is not for editors to write");
      const Value value = work.get(each.object, each.slot);
      switch (slot.holds) {
        case Holds::kText:
          if (!std::holds_alternative<std::string_view>(value) || !is_text(text_in(value)))
            refuse(what + " is to be text");
          break;
        case Holds::kInteger:
          if (!std::holds_alternative<std::int64_t>(value)) refuse(what + " is to be a number");
          break;
        case Holds::kReal:
          if (!std::holds_alternative<double>(value) || !std::isfinite(real_in(value)))
            refuse(what + " is to be a number");
          break;
        case Holds::kObject: {
          const ObjectId other = object_in(value);
          const ClassForm* its = is_there(work, other) ? form_of(work, other) : nullptr;
          const bool fits = its != nullptr && (slot.name == "file" ? its->kind == Kind::kFile
                                                                   : is_section(its->kind) || its->kind == Kind::kFile);
          if (!fits) refuse(what + " is to be another object, which is there");
        }
      }
    }
  }
  for (const ObjectId id : created) {
    if (!is_there(work, id)) continue;
    const ClassForm& form = *form_of(work, id);
    for (unsigned i = 0; i < form.slots.size(); ++i)
      if (form.slots[i].editor == May::kCreate && work.get(id, i).index() == 0)
        refuse("a new " + std::string(form.name) + " has a " + std::string(form.slots[i].name));
  }
}

void Workshop::derive(Work& work) {
  const std::vector<Work::Touched> touched = work.touched();  // what follows adds to it
  std::set<ObjectId> sources;
  for (const Work::Touched& each : touched) {
    if (!is_there(work, each.object)) continue;
    const ClassForm& form = *form_of(work, each.object);
    if (!is_section(form.kind)) continue;
    if (each.what == What::kCreated || each.slot == kSource) sources.insert(each.object);
  }
  for (const Work::Touched& each : touched) {
    if (each.what != What::kSet || each.slot != kName || sources.contains(each.object)) continue;
    if (!is_there(work, each.object)) continue;
    const ClassForm& form = *form_of(work, each.object);
    if (form.kind != Kind::kFunction && form.kind != Kind::kClass) continue;
    // A new name: the definition says it, too.
    const std::string name(text_in(work.get(each.object, kName)));
    const auto before = owner_.store().text(each.object, kName);
    if (!is_word(name)) refuse("a name is one word of letters, digits and _");
    if (!before || *before == name) continue;
    const std::string source(text_in(work.get(each.object, kSource)));
    if (source.empty()) refuse("its source is not text: it cannot be given another name");
    work.set(each.object, kSource, with_word_replaced(source, *before, name));
  }
  for (const ObjectId id : sources) derive_section(work, id, *form_of(work, id));
}

// What follows of a new source: its lines, the name that it defines; several sections, if it defines several.
void Workshop::derive_section(Work& work, ObjectId id, const ClassForm& form) {
  const auto old = owner_.store().pin(id);
  if (old && std::holds_alternative<Bytes>(old.get(kSource))) refuse("the section is not text: nobody edits it here");
  std::string source(text_in(work.get(id, kSource)));
  // Lines of two sections are two lines.
  const bool ends = source.empty() || source.back() == '\n';
  const std::pair<ObjectId, ObjectId> beside = ends && old ? std::pair<ObjectId, ObjectId>() : neighbours(work, id);
  if (!ends && beside.second) {
    const bool dos = old && line_ends(text_in(old.get(kSource))) == LineEnds::kDos;
    source += dos ? "\r\n" : "\n";
    work.set(id, kSource, source);
  }
  if (!old && beside.first) {
    const std::string above(text_in(work.get(beside.first, kSource)));
    if (!above.empty() && above.back() != '\n') work.set(beside.first, kSource, above + "\n");
  }
  const Style style = style_in(object_in(work.get(id, kFile)));
  if (!old || form.kind == Kind::kClass || words_of(source, style).frame != sections_[id].words.frame) {
    const std::string name(text_in(work.get(id, kName)));
    const std::vector<Cut> cuts = outliner_.cuts(path_of(work, id), source);
    const auto defines = [&](const Cut& cut) { return cut.kind != Kind::kText; };
    const auto definitions = std::count_if(cuts.begin(), cuts.end(), defines);
    const auto first = [&](const auto& fits) {
      return static_cast<std::size_t>(std::find_if(cuts.begin(), cuts.end(), fits) - cuts.begin());
    };
    std::size_t own = first([&](const Cut& cut) { return cut.kind == form.kind && cut.name == name; });
    if (own == cuts.size()) own = first([&](const Cut& cut) { return cut.kind == form.kind; });
    if (definitions > (form.kind == Kind::kText ? 0 : 1) && !source.empty()) {
      cut(work, id, cuts, own);
      return;
    }
    std::string now = name;
    if (form.kind != Kind::kText) {
      // Ctags sees no constructor outside of its class, and no class that is cut before its end.
      if (own != cuts.size())
        now = cuts[own].name;
      else if (!words_of(source, style).have(names_.number(name)))
        now = form.kind == Kind::kClass ? class_in(source) : "";
    }
    if (now != name) work.set(id, kName, now);
  }
  work.set(id, kLines, count_lines(source));
}

// The section keeps the cut `own`; the others become sections before and behind it. Without one, nothing is left of it.
void Workshop::cut(Work& work, ObjectId id, const std::vector<Cut>& cuts, std::size_t own) {
  const ObjectId behind = neighbours(work, id).second;
  const double place = real_in(work.get(id, kPlace));
  const double step =
      ((behind ? real_in(work.get(behind, kPlace)) : place + 1) - place) / static_cast<double>(cuts.size() + 1);
  const Value file = work.get(id, kFile);
  const ObjectId in_file = object_in(file);
  const ObjectId parent = object_in(work.get(id, kParent));
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const ObjectId each = i == own ? id : work.create(type(cuts[i].kind));
    work.set(each, kFile, Value(in_file));
    work.set(each, kPlace, place + step * static_cast<double>(i));
    work.set(each, kName, cuts[i].name);
    work.set(each, kSource, cuts[i].text);
    work.set(each, kLines, count_lines(cuts[i].text));
    if (parent) work.set(each, kParent, Value(parent));
  }
  if (own != cuts.size()) return;
  work.erase(id);
  erased_.insert(id);
}

// What the rules are told of the edit.
void Workshop::announce(const Work& work) {
  for (const ObjectId id : touched_in(work)) {
    const ClassForm& form = *form_of(work, id);
    const auto old = owner_.store().pin(id);
    if (!is_there(work, id)) {
      const bool section = is_section(form.kind);
      if (old)
        rules_->erased(id, form, section ? text_in(old.get(kName)) : "",
                       section && integer_in(old.get(kReadOnly)) != 0);
    } else if (!old) {
      rules_->created(id, form);
    } else {
      for (unsigned slot = 0; slot < form.slots.size(); ++slot) {
        const Value before = old.get(slot);
        const Value after = work.get(id, slot);
        if (before != after) rules_->changed(id, form, slot, before, after);
      }
    }
  }
}

// --- Facts ---

void Workshop::reflect(const Work& work) {
  for (const ObjectId id : touched_in(work)) {
    if (is_there(work, id))
      put_facts(id, *form_of(work, id), [&](unsigned slot) { return work.get(id, slot); });
    else
      drop_facts(id);
  }
}

template <class Get>
void Workshop::put_facts(ObjectId id, const ClassForm& form, const Get& get) {
  std::array<Value, kMostSlots> values;
  for (unsigned i = 0; i < form.slots.size(); ++i) values[i] = get(i);
  const std::span slots(values.data(), form.slots.size());
  const bool section = is_section(form.kind);
  const Value source = section ? slots[kSource] : Value();
  const std::int64_t sum = section ? sum_of(bytes_in(source)) : 0;
  if (section) slots[kSource] = sum;
  rules_->put(id, form, slots);
  if (form.kind == Kind::kFile) styles_[id.number] = style_of(text_in(slots[kPath]));
  if (form.kind == Kind::kFunction || form.kind == Kind::kClass) know(text_in(slots[kName]));
  if (form.kind == Kind::kLink) know(text_in(slots[kLinkName]));
  if (section) mention(id, object_in(slots[kFile]), text_in(slots[kName]), text_in(source), sum);
}

void Workshop::drop_facts(ObjectId id) {
  rules_->drop(id);
  forget_mentions(id);
  sections_.erase(id);
  styles_.erase(id.number);
}

Workshop::About& Workshop::about(std::uint32_t name) {
  if (about_.size() <= name) about_.resize(names_.count());
  return about_[name];
}

void Workshop::know(std::string_view name) {
  if (name.empty()) return;
  const std::uint32_t number = names_.number(name);
  About& its = about(number);
  if (std::exchange(its.known, true)) return;
  for (const ObjectId id : its.by) {
    const Section& section = sections_.at(id);
    rules_->mention(id, section.file, number, names_.text(number), section.words.find(number)->call);
  }
}

void Workshop::mention(ObjectId id, ObjectId file, std::string_view name, std::string_view source, std::int64_t sum) {
  Section& section = sections_[id];
  const std::uint32_t own = names_.number(name);
  if (section.file == file && section.sum == sum && section.name == own) return;
  Words words = words_of(source, style_in(file));
  words.leave_out(own);
  const Difference changed = difference(section.words, words);
  for (const Mention& each : changed.gone) {
    about(each.name).by.erase(id);
    if (about(each.name).known) rules_->forget_mention(id, each.name);
  }
  for (const Mention& each : changed.come) {
    about(each.name).by.insert(id);
    if (about(each.name).known) rules_->mention(id, file, each.name, names_.text(each.name), each.call);
  }
  section = {file, own, sum, std::move(words)};
}

void Workshop::forget_mentions(ObjectId id) {
  const auto found = sections_.find(id);
  if (found == sections_.end()) return;
  for (const Mention& each : found->second.words.names) about(each.name).by.erase(id);
}

// Facts become what the store says.
void Workshop::take_back(const std::vector<ObjectId>& objects) {
  for (const ObjectId id : objects) {
    const auto now = owner_.store().pin(id);
    const std::optional<Kind> kind = now ? kinds_.kind(now.type()) : std::nullopt;
    if (kind)
      put_facts(id, workbench::form_of(*kind), [&](unsigned slot) { return now.get(slot); });
    else
      drop_facts(id);
  }
  last_commit_ = 0;
}

// --- Rules ---

void Workshop::fill_rules() {
  rules_->look_at(*stored_);
  sections_.clear();
  styles_.clear();
  about_.clear();
  const auto snapshot = owner_.store().snapshot();
  const auto put = [&](bool files) {
    snapshot.each([&](const auto& object) {
      const std::optional<Kind> kind = kinds_.kind(object.type());
      if (kind && (kind == Kind::kFile) == files)
        put_facts(object.id(), workbench::form_of(*kind), [&](unsigned slot) { return object.get(slot); });
    });
  };
  put(true);  // which say how their sections are to be read
  put(false);
}

void Workshop::load_rules(std::vector<std::filesystem::path> files) {
  std::unique_ptr<Rules> before;
  rule_files_ = std::move(files);
  try {
    auto now = std::make_unique<Rules>(rule_files_);
    before = std::exchange(rules_, std::move(now));
    fill_rules();
    settle_rules({}, {});
    fired_ += before->fired();
    say_("the rules have been loaded");
  } catch (const std::exception& error) {
    if (before) {
      rules_ = std::move(before);
      fill_rules();  // what is known of names; facts that are as they were stay
    }
    const auto* broken = dynamic_cast<const RulesError*>(&error);
    const std::string why = std::string(error.what());
    say_(why + "\nthe rules stay as they were");
    settle_rules(broken != nullptr ? broken->file : rule_files_.front(), why);
  }
}

// Has the rules fire for what there is, and keeps in the store what is to be said of their files.
void Workshop::settle_rules(const std::filesystem::path& broken_file, const std::string& why) {
  std::map<std::string, ObjectId> there;
  owner_.store().snapshot().each([&](const auto& object) {
    if (kinds_.kind(object.type()) == Kind::kRules) there[std::string(text_in(object.get(kRulesPath)))] = object.id();
  });
  Work work = owner_.begin();
  erased_.clear();
  Changes changes(*this, work);
  std::string said;
  std::string failed;
  {
    const Looking looking(*rules_, changes, *stored_);
    const ClassForm& form = workbench::form_of(Kind::kRules);
    for (const std::filesystem::path& file : rule_files_) {
      const auto found = there.find(file.string());
      const ObjectId id = found == there.end() ? changes.make(form) : found->second;
      if (found != there.end()) there.erase(found);
      const std::string error = file == broken_file ? why : "";
      const auto count = static_cast<std::int64_t>(rules_->count(file));
      if (text_in(work.get(id, kRulesPath)) != file.string()) work.set(id, kRulesPath, file.string());
      if (integer_in(work.get(id, kRulesCount)) != count || work.get(id, kRulesCount).index() == 0)
        work.set(id, kRulesCount, count);
      if (text_in(work.get(id, kRulesError)) != error) work.set(id, kRulesError, error);
      changes.done(id, form);
    }
    for (const auto& [path, id] : there) changes.drop(id);
    if (why.empty()) failed = rules_->run(kMostOfAll, said);
  }
  if (!said.empty()) say_(said);
  if (!failed.empty()) {
    take_back(touched_in(work));
    throw Error("the rules cannot be used: " + failed);
  }
  if (!work.touched().empty()) work.commit();
}

}  // namespace workbench
