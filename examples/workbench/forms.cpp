#include "forms.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace workbench {
namespace {

using nlohmann::json;

const ClassForm* form_of_object(const Editor& editor, ObjectId id) {
  const auto form = editor.form(editor.type(id));
  return form ? form_named(form->name) : nullptr;
}

template <class Number>
void add_number(std::string& text, Number number) {
  std::array<char, 32> digits{};
  text.append(digits.data(), std::to_chars(digits.begin(), digits.end(), number).ptr);
}

void add_string(std::string& text, std::string_view string) { text += json(string).dump(); }

// A text area of a page has lines that end with \n, whatever it was given.
std::string with_line_ends(const std::string& text, LineEnds ends) {
  if (ends != LineEnds::kDos) return text;
  std::string all;
  for (const char c : text) {
    if (c == '\n') all += '\r';
    all += c;
  }
  return all;
}

Value value_of(const json& value, const SlotForm& slot, std::vector<std::unique_ptr<std::string>>& kept,
               LineEnds ends) {
  switch (slot.holds) {
    case Holds::kText:
      if (!value.is_string()) break;
      kept.push_back(std::make_unique<std::string>(with_line_ends(value.get<std::string>(), ends)));
      return std::string_view(*kept.back());
    case Holds::kInteger:
      if (value.is_number_integer()) return value.get<std::int64_t>();
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

}  // namespace

bool ShownObjects::add(std::string& text, ObjectId id) {
  const ClassForm* form = this->form(id);
  if (form == nullptr) return false;
  add_number(text.append(R"({"id":)"), id.number);
  text.append(R"(,"class":")").append(form->name) += '"';
  std::string fixed;
  for (unsigned i = 0; i < form->slots.size(); ++i) {
    const Value value = editor_.get(id, i);
    if (const auto* bytes = std::get_if<Bytes>(&value))
      fixed = std::to_string(bytes->bytes.size()) + " bytes that are not text";
    if (value.index() == 0 || std::holds_alternative<Bytes>(value)) continue;
    text.append(",\"").append(form->slots[i].name).append("\":");
    if (const auto* own = std::get_if<std::string_view>(&value)) {
      if (!is_text(*own)) throw Error("an object has text that is none");
      add_string(text, *own);
      if (is_section(form->kind) && i == kSource && line_ends(*own) == LineEnds::kMixed)
        fixed = "its lines end in several ways";
    } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
      add_number(text, *integer);
    } else if (const auto* number = std::get_if<double>(&value)) {
      if (std::isfinite(*number))
        add_number(text, *number);
      else
        text += "null";
    } else if (const auto* other = std::get_if<ObjectId>(&value)) {
      add_number(text, other->number);
    }
  }
  if (!fixed.empty()) add_string(text.append(R"(,"fixed":)"), fixed);
  text += '}';
  return true;
}

const ClassForm* ShownObjects::form(ObjectId id) {
  const std::uint32_t type = editor_.type(id);
  if (type < forms_.size() && forms_[type] != nullptr) return forms_[type];
  const ClassForm* found = form_of_object(editor_, id);
  if (found == nullptr) return nullptr;
  if (forms_.size() <= type) forms_.resize(type + 1);
  return forms_[type] = found;
}

Asked edit_from_json(const Editor& editor, std::string_view text) {
  const json said = json::parse(text, nullptr, false);
  const auto bad = [](const char* what) { return Error(std::string("that is no edit: ") + what); };
  if (!said.is_object() || !said.contains("changes") || !said["changes"].is_array()) throw bad("it has no changes");
  if (!said.contains("seen") || !said["seen"].is_number_unsigned()) throw bad("it does not say what has been seen");
  struct Change {
    ObjectId id;  // 0: a new one
    const ClassForm* form;
    bool erase;
    std::vector<std::pair<unsigned, Value>> slots;
  };
  Asked asked;
  asked.seen = said["seen"].get<std::uint64_t>();
  std::vector<Change> changes;
  auto kept = std::make_shared<std::vector<std::unique_ptr<std::string>>>();
  for (const json& each : said["changes"]) {
    if (!each.is_object()) throw bad("a change is no object");
    Change change{};
    change.erase = each.contains("erase");
    if (each.contains("new")) {
      const std::string name = each["new"].is_string() ? each["new"].get<std::string>() : "";
      change.form = form_named(name);
      if (change.form == nullptr) throw bad("there is no such class");
    } else {
      const json& id = change.erase ? each["erase"] : each.contains("id") ? each["id"] : json();
      if (!id.is_number_unsigned()) throw bad("a change is of no object");
      change.id = {id.get<std::uint64_t>()};
      change.form = form_of_object(editor, change.id);
      if (change.form == nullptr) throw Error("object " + std::to_string(change.id.number) + " is not there any more");
      asked.objects.push_back(change.id);
    }
    if (!change.erase) {
      if (!each.contains("set") || !each["set"].is_object()) throw bad("a change sets nothing");
      for (const auto& [name, value] : each["set"].items()) {
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
