#include "forms.hpp"

#include <algorithm>
#include <cmath>

namespace workbench {
namespace {

const ClassForm* form_of_object(const Editor& editor, ObjectId id) {
  const auto form = editor.form(editor.type(id));
  return form ? form_named(form->name) : nullptr;
}

// A text area of a page has lines that end with \n, whatever it was given.
std::string with_line_ends(std::string_view text, LineEnds ends) {
  if (ends != LineEnds::kDos) return std::string(text);
  std::string all;
  for (const char c : text) {
    if (c == '\n') all += '\r';
    all += c;
  }
  return all;
}

Value value_of(const Json& value, const SlotForm& slot, std::vector<std::unique_ptr<std::string>>& kept,
               LineEnds ends) {
  switch (slot.holds) {
    case Holds::kText:
      if (!value.is_string()) break;
      kept.push_back(std::make_unique<std::string>(with_line_ends(text_in(value), ends)));
      return std::string_view(*kept.back());
    case Holds::kInteger:
      if (value.is_number_integer() && (value.get<std::int64_t>() >= 0) == value.is_number_unsigned())
        return value.get<std::int64_t>();
      break;
    case Holds::kReal:
      if (value.is_number()) return value.get<double>();
      break;
    case Holds::kObject:
      if (value.is_number_unsigned()) return ObjectId{value.get<std::uint64_t>()};
      break;
  }
  throw Error(std::string(slot.name) + " is not what it is to be");
}

// Null: it has none of that name.
const Json* member(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

}  // namespace

std::string_view ShownObjects::text(std::span<const ObjectId> objects) {
  text_.Clear();
  json_.Reset(text_);
  gone_.clear();
  json_.StartObject();
  add_key(json_, "commit");
  json_.Uint64(editor_.commit());
  add_key(json_, "objects");
  json_.StartArray();
  for (const ObjectId id : objects) {
    if (const ClassForm* form = this->form(id); form != nullptr)
      add(id, *form);
    else
      gone_.push_back(id);
  }
  json_.EndArray();
  add_key(json_, "gone");
  json_.StartArray();
  for (const ObjectId id : gone_) json_.Uint64(id.number);
  json_.EndArray();
  json_.EndObject();
  return text_in(text_);
}

void ShownObjects::add(ObjectId id, const ClassForm& form) {
  json_.StartObject();
  add_key(json_, "id");
  json_.Uint64(id.number);
  add_key(json_, "class");
  add_string(json_, form.name);
  std::string fixed;
  for (unsigned i = 0; i < form.slots.size(); ++i) {
    const Value value = editor_.get(id, i);
    if (const auto* bytes = std::get_if<Bytes>(&value))
      fixed = std::to_string(bytes->bytes.size()) + " bytes that are not text";
    if (value.index() == 0 || std::holds_alternative<Bytes>(value)) continue;
    add_key(json_, form.slots[i].name);
    if (const auto* own = std::get_if<std::string_view>(&value)) {
      if (!is_text(*own)) throw Error("an object has text that is none");
      add_string(json_, *own);
      if (is_section(form.kind) && i == kSource && line_ends(*own) == LineEnds::kMixed)
        fixed = "its lines end in several ways";
    } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
      json_.Int64(*integer);
    } else if (const auto* number = std::get_if<double>(&value)) {
      if (std::isfinite(*number))
        json_.Double(*number);
      else
        json_.Null();
    } else if (const auto* other = std::get_if<ObjectId>(&value)) {
      json_.Uint64(other->number);
    }
  }
  if (!fixed.empty()) {
    add_key(json_, "fixed");
    add_string(json_, fixed);
  }
  json_.EndObject();
}

const ClassForm* ShownObjects::form(ObjectId id) {
  const std::uint32_t type = editor_.type(id);
  if (type < forms_.size() && forms_[type] != nullptr) return forms_[type];
  const ClassForm* found = form_of_object(editor_, id);
  if (found == nullptr) return nullptr;
  if (forms_.size() <= type) forms_.resize(type + 1);
  return forms_[type] = found;
}

std::string said_as_json(std::string_view name, std::string text) {
  if (!is_text(text))
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == 0 || static_cast<unsigned char>(c) > 127; }, '?');
  JsonText json;
  JsonWriter writer(json);
  writer.StartObject();
  add_key(writer, name);
  add_string(writer, text);
  writer.EndObject();
  return std::string(text_in(json));
}

Asked edit_from_json(const Editor& editor, std::string_view text) {
  const Json said = parsed_json(text);
  const auto bad = [](const char* what) { return Error(std::string("that is no edit: ") + what); };
  const Json* all = said.is_object() ? member(said, "changes") : nullptr;
  if (all == nullptr || !all->is_array()) throw bad("it has no changes");
  const Json* seen = member(said, "seen");
  if (seen == nullptr || !seen->is_number_unsigned()) throw bad("it does not say what has been seen");
  struct Change {
    ObjectId id;  // 0: a new one
    const ClassForm* form;
    bool erase;
    std::vector<std::pair<unsigned, Value>> slots;
  };
  Asked asked;
  asked.seen = seen->get<std::uint64_t>();
  std::vector<Change> changes;
  auto kept = std::make_shared<std::vector<std::unique_ptr<std::string>>>();
  for (const Json& each : *all) {
    if (!each.is_object()) throw bad("a change is no object");
    Change change{};
    const Json* erased = member(each, "erase");
    change.erase = erased != nullptr;
    if (const Json* name = member(each, "new"); name != nullptr) {
      change.form = name->is_string() ? form_named(text_in(*name)) : nullptr;
      if (change.form == nullptr) throw bad("there is no such class");
    } else {
      const Json* id = change.erase ? erased : member(each, "id");
      if (id == nullptr || !id->is_number_unsigned()) throw bad("a change is of no object");
      change.id = {id->get<std::uint64_t>()};
      change.form = form_of_object(editor, change.id);
      if (change.form == nullptr) throw Error("object " + std::to_string(change.id.number) + " is not there any more");
      asked.objects.push_back(change.id);
    }
    if (!change.erase) {
      const Json* set = member(each, "set");
      if (set == nullptr || !set->is_object()) throw bad("a change sets nothing");
      for (const auto& [name, value] : set->items()) {
        unsigned slot = 0;
        while (slot < change.form->slots.size() && change.form->slots[slot].name != name) ++slot;
        if (slot == change.form->slots.size()) throw bad("there is no such slot");
        LineEnds ends = LineEnds::kUnix;
        if (change.id && is_section(change.form->kind) && slot == kSource) {
          const Value now = editor.get(change.id, slot);
          ends = line_ends(text_in(now));
          if (ends == LineEnds::kMixed || std::holds_alternative<Bytes>(now))
            throw Error("the section cannot be edited in a page: it would not come back as it is");
        }
        change.slots.emplace_back(slot, value_of(value, change.form->slots[slot], *kept, ends));
      }
    }
    changes.push_back(std::move(change));
  }
  asked.make = [changes = std::move(changes), kept](Edit& edit) {
    for (const Change& change : changes) {
      if (change.erase) {
        edit.erase(change.id);
        continue;
      }
      const ObjectId id = change.id ? change.id : edit.create(change.form->name);
      for (const auto& [slot, value] : change.slots) edit.set(id, slot, value);
    }
  };
  return asked;
}

}  // namespace workbench
