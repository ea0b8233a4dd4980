#include "objectbase/tool/records.hpp"

#include <cmath>
#include <istream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "base/user_error.hpp"

namespace heddle::objectbase {
namespace {

using nlohmann::ordered_json;

constexpr int kRecords = 1;              // the version of this form
constexpr std::uint64_t kEach = 10'000;  // objects of a transaction, and between two signs of progress

// --- Writing ---

std::string hex_of(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  hex.reserve(2 * bytes.size());
  for (const char byte : bytes) {
    hex += kDigits[static_cast<unsigned char>(byte) >> 4];
    hex += kDigits[static_cast<unsigned char>(byte) & 15];
  }
  return hex;
}

bool is_utf8(std::string_view text) {
  try {
    static_cast<void>(ordered_json(text).dump());
    return true;
  } catch (const ordered_json::type_error&) {
    return false;
  }
}

ordered_json json_of(double number) {
  if (std::isfinite(number)) return number;
  return {{"double", std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf"}};
}

ordered_json json_of(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
  if (const auto* number = std::get_if<double>(&value)) return json_of(*number);
  if (const auto* id = std::get_if<ObjectId>(&value)) return {{"object", id->number}};
  if (const auto* bytes = std::get_if<Bytes>(&value)) return {{"hex", hex_of(bytes->bytes)}};
  const auto* text = std::get_if<std::string_view>(&value);
  if (text == nullptr) return nullptr;
  return is_utf8(*text) ? ordered_json(*text) : ordered_json{{"text", hex_of(*text)}};
}

// --- Reading ---

[[noreturn]] void no_record(const std::string& why) { throw base::UserError(why); }

std::string bytes_of_hex(const std::string& hex) {
  const auto digit = [](char c) -> unsigned {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
    no_record("not hexadecimal: write two of 0-9 and a-f for each byte");
  };
  if (hex.size() % 2 != 0) no_record("not hexadecimal: half a byte");
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) bytes += static_cast<char>(digit(hex[i]) << 4 | digit(hex[i + 1]));
  return bytes;
}

// What a slot is set to; `text` keeps what the value leads to.
Value value_of(const ordered_json& json, std::string& text) {
  if (json.is_number_unsigned() && json.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max())
    no_record("an integer of more than 64 bits");
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number_float()) return json.get<double>();
  if (json.is_string()) {
    text = json.get<std::string>();
    return std::string_view(text);
  }
  if (!json.is_object() || json.size() != 1) no_record("a value is a number, a string, or an object with one member");
  const std::string& kind = json.begin().key();
  const ordered_json& content = json.begin().value();
  if (kind == "object") return ObjectId{content.get<std::uint64_t>()};
  const auto word = content.get<std::string>();
  if (kind == "double") {
    if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (word == "inf") return std::numeric_limits<double>::infinity();
    if (word == "-inf") return -std::numeric_limits<double>::infinity();
  }
  if (kind == "hex" || kind == "text") text = bytes_of_hex(word);
  if (kind == "hex") return Bytes{text};
  if (kind == "text") return std::string_view(text);
  no_record("a value of no kind that is known: " + kind + " " + word);
}

class Loading {
 public:
  explicit Loading(Store& store) : store_(store) {}

  void take(const ordered_json& record) {
    if (record.contains("objectbase")) {
      if (record.at("objectbase") != kRecords) no_record("of another version of this form");
    } else if (record.contains("object")) {
      add(ObjectId{record.at("object").get<std::uint64_t>()}, record);
    } else if (record.contains("class")) {
      define(record);
    } else if (record.contains("erased")) {
      const ObjectId id{record.at("erased").get<std::uint64_t>()};
      change().retire(id);
      ++changes_;
    } else {
      no_record("neither a class nor an object");
    }
    if (changes_ >= kEach) end();
  }

  void end() {
    if (change_) change_->commit();
    change_.reset();
    changes_ = 0;
  }

  std::uint64_t objects() const { return objects_; }

 private:
  Transaction& change() {
    if (!change_) change_.emplace(store_.begin());
    return *change_;
  }

  void define(const ordered_json& record) {
    const auto slots = record.at("slots").get<std::vector<std::string>>();
    const auto name = record.at("class").get<std::string>();
    end();  // a class is defined outside of transactions
    const std::vector<std::string_view> names(slots.begin(), slots.end());
    classes_[name] = store_.define(name, names);
  }

  void add(ObjectId id, const ordered_json& record) {
    const auto name = record.at("class").get<std::string>();
    const auto type = classes_.find(name);
    if (type == classes_.end()) no_record("class " + name + " has not been defined before it");
    change().restore(id, type->second);
    std::string text;
    for (const auto& [slot, value] : record.at("values").items())
      change().set(id, type->second.slot(slot), value_of(value, text));
    ++objects_;
    ++changes_;
  }

  Store& store_;
  std::map<std::string, Class> classes_;
  std::optional<Transaction> change_;
  std::uint64_t changes_ = 0;
  std::uint64_t objects_ = 0;
};

}  // namespace

std::uint64_t dump(const Store& store, std::ostream& out, const std::function<void(std::uint64_t)>& progress) {
  const Snapshot snapshot = store.snapshot();
  const auto write = [&](const ordered_json& record) { out << record.dump() << '\n'; };
  write({{"objectbase", kRecords}, {"commit", snapshot.commit()}});
  std::vector<Class> classes(1);
  for (std::uint32_t number = 1; number <= store.types(); ++number) {
    const Class& type = classes.emplace_back(store.type(number));
    write({{"class", type.name()}, {"slots", type.slots()}});
  }
  std::uint64_t objects = 0;
  snapshot.each([&](const Pinned& object) {
    const Class& type = classes.at(std::min<std::size_t>(object.type(), classes.size() - 1));
    ordered_json values = ordered_json::object();
    for (unsigned slot = 0; slot < std::min<std::size_t>(object.slots(), type.slots().size()); ++slot)
      if (ordered_json value = json_of(object.get(slot)); !value.is_null())
        values[type.slots()[slot]] = std::move(value);
    write({{"object", object.id().number}, {"class", type.name()}, {"values", std::move(values)}});
    if (++objects % kEach == 0 && progress) progress(objects);
  });
  for (const ObjectId id : snapshot.erased()) write({{"erased", id.number}});
  return objects;
}

std::string line_of(const KeptVersion& version, const std::vector<std::string>& names) {
  if (version.type == 0) return ordered_json{{"erased", version.id.number}}.dump();
  ordered_json record = {{"object", version.id.number}, {"commit", version.commit}};
  record["class"] = names.empty() ? "" : names.front();
  record["values"] = ordered_json::object();
  for (std::size_t slot = 0; slot < version.slots.size() && slot + 1 < names.size(); ++slot)
    if (ordered_json value = json_of(version.slots[slot]); !value.is_null())
      record["values"][names[slot + 1]] = std::move(value);
  return record.dump();
}

std::uint64_t load(std::istream& in, const std::filesystem::path& path, const Options& options,
                   const std::function<void(std::uint64_t)>& progress) {
  std::uint64_t objects = 0;
  Store::create_filled(path, options, [&](Store& store) {
    std::uint64_t number = 0;
    try {
      Loading loading(store);
      for (std::string line; std::getline(in, line);) {
        ++number;
        if (line.empty()) continue;
        loading.take(ordered_json::parse(line));
        if (number % kEach == 0 && progress) progress(loading.objects());
      }
      if (number == 0) no_record("nothing to load");
      loading.end();
      objects = loading.objects();
    } catch (const std::exception& error) {
      throw base::UserError("line " + std::to_string(number) + ": " + error.what());
    }
  });
  return objects;
}

}  // namespace heddle::objectbase
