// The objects of the workbench: classes, their slots, and which of these an editor may write.
//
// A file is cut into sections, in which all of its bytes are, in their order: a Function, a Class (up to its first
// function), and Text, what lies between. Notes lie on sections; links lead from one to another. Text slots hold UTF-8
// without zero bytes; a section that is anything else holds bytes, which nobody edits.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "objectbase/objectbase.hpp"

namespace workbench {

using heddle::objectbase::Bytes;
using heddle::objectbase::ObjectId;
using heddle::objectbase::Store;
using heddle::objectbase::Value;

// What the user has to be told.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class Kind : std::uint8_t { kFile, kFunction, kClass, kText, kNote, kLink, kRules };

enum class Holds : std::uint8_t { kText, kInteger, kReal, kObject };

enum class May : std::uint8_t {
  kRead,    // an editor may read it
  kCreate,  // and write it in an object that it creates
  kWrite,   // and in any
};

struct SlotForm {
  std::string_view name;
  Holds holds;
  May editor;
};

struct ClassForm {
  Kind kind;
  std::string_view name;
  std::span<const SlotForm> slots;
  bool editors_create;
  bool editors_erase;
};

// Slots of sections.
enum : unsigned { kFile, kPlace, kName, kSource, kLines, kParent, kHidden, kReadOnly };
// Of files.
enum : unsigned { kPath, kMode };
// Of notes. `rule` made it, and keeps it; empty: a user. `about`: the section whose change was the reason.
enum : unsigned { kOn, kNoteText, kNoteRule, kAbout, kNoteName };
// Of links. Without `to` it dangles.
enum : unsigned { kFrom, kTo, kLinkName, kLinkRule, kState };
// Of rule files.
enum : unsigned { kRulesPath, kRulesCount, kRulesError };

inline constexpr unsigned kMostSlots = 8;  // of a class

std::span<const ClassForm> class_forms();
const ClassForm& form_of(Kind kind);
const ClassForm* form_named(std::string_view name);
inline bool is_section(Kind kind) { return kind == Kind::kFunction || kind == Kind::kClass || kind == Kind::kText; }

// Numbers of the classes in one store. Throws Error if it is no workbench's.
class Kinds {
 public:
  explicit Kinds(const Store& store);
  // Nothing: not of the workbench, or no object.
  std::optional<Kind> kind(std::uint32_t number) const {
    return number < kinds_.size() ? kinds_[number] : std::nullopt;
  }

 private:
  std::vector<std::optional<Kind>> kinds_;
};

void define_classes(Store& store);

// UTF-8 (RFC 3629) without zero bytes.
bool is_text(std::string_view bytes);
// How its lines end, as far as an editor must know to give them back.
enum class LineEnds : std::uint8_t { kUnix, kDos, kMixed };
LineEnds line_ends(std::string_view text);
std::int64_t count_lines(std::string_view text);

// What a slot holds, or nothing: empty, 0.
inline std::string_view text_in(const Value& value) {
  const auto* text = std::get_if<std::string_view>(&value);
  return text == nullptr ? std::string_view() : *text;
}
inline std::string_view bytes_in(const Value& value) {
  const auto* bytes = std::get_if<Bytes>(&value);
  return bytes == nullptr ? text_in(value) : bytes->bytes;
}
inline ObjectId object_in(const Value& value) {
  const auto* id = std::get_if<ObjectId>(&value);
  return id == nullptr ? ObjectId{} : *id;
}
inline std::int64_t integer_in(const Value& value) {
  const auto* number = std::get_if<std::int64_t>(&value);
  return number == nullptr ? 0 : *number;
}
inline double real_in(const Value& value) {
  const auto* number = std::get_if<double>(&value);
  return number == nullptr ? 0 : *number;
}

}  // namespace workbench
