// What owner and editors say to each other: messages, each a head with its value behind it.
//
//   bytes 4 | slot 2 | kind 1 | type 1 | object 8 |  value: `bytes` of them  |  End, 16 bytes, behind the last of a
//   group
//
// in the machine's own byte order, for both sides are on one machine. Messages come in groups that mean something only
// as a whole: a transaction, an edit, a greeting. The kind of a group's last message has kLast added.
//
// Nothing that arrives is trusted: `Inbox` says Malformed to what is not of this form, and who takes a group checks
// what stands in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "objectbase/objectbase.hpp"

namespace heddle::objectbase {

enum class MessageKind : std::uint8_t {
  kHello = 1,  // the editor's first: kProtocol as object, its transport as value
  kWelcome,    // the owner's answer; with it comes the staging segment, if there is one
  kClass,      // a class: its number as object; names as value
  kCreate,     // an object: of the class with this number; in an edit of the class with this name
  kSet,        // a slot's value
  kErase,      // an object
  kChanged,    // an object, or its slot, is to be looked up
  kExpect,     // in an edit: the object has not changed since the commit that is the value
  kMade,       // the objects that an edit has created, in its order
  kRefused,    // an edit, and why
  kSilent,     // says nothing but what the End says; or wakes
};
inline constexpr std::uint8_t kLast = 0x80;
inline constexpr std::uint64_t kProtocol = 0x31'74'72'6f'70'73'6e'74;  // "tnsport1", little-endian

inline constexpr std::size_t kMostValue = std::size_t{1} << 30;

struct Head {
  std::uint32_t bytes = 0;
  std::uint16_t slot = 0;
  std::uint8_t kind = 0;
  std::uint8_t type = 0;  // of the value: Type
  std::uint64_t object = 0;
};
static_assert(sizeof(Head) == 16);

struct End {
  std::uint64_t commit = 0;  // the state of the store that the group leads to; 0 in edits
  std::uint64_t edit = 0;    // the number of the edit that this is, or that it answers; 0: none
};
static_assert(sizeof(End) == 16);

struct Message {
  Head head;
  std::string_view value;

  MessageKind kind() const { return static_cast<MessageKind>(head.kind & ~kLast); }
};

struct Group {
  std::vector<Message> messages;
  End end;
};

// It is not of the form above, or not allowed. Whoever sent it is not listened to any more.
class Malformed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A group in the making.
class Outgoing {
 public:
  void add(MessageKind kind, std::uint64_t object, unsigned slot = 0, std::string_view value = {},
           std::uint8_t type = 0);
  void add_value(std::uint64_t object, unsigned slot, const Value& value);
  // Nothing may be added afterwards. Adds a message that says nothing, if there is none.
  void finish(const End& end);
  void change_end(const End& end);  // of one that is finished

  const std::string& bytes() const { return bytes_; }
  std::size_t messages() const { return starts_.size(); }
  std::string_view message(std::size_t index) const;
  Head head(std::size_t index) const;
  std::string_view from(std::size_t index) const { return std::string_view(bytes_).substr(starts_[index]); }

 private:
  std::string bytes_;
  std::vector<std::size_t> starts_;
};

// Bytes that have arrived, in pieces of any size.
class Inbox {
 public:
  explicit Inbox(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  // Where up to `bytes` more may be put; add() says how many it were.
  char* room(std::size_t bytes);
  void add(std::size_t bytes);
  // The next group that is complete. What it consists of is valid until room() is called. Throws Malformed, also when a
  // group is larger than it may be.
  std::optional<Group> take();
  // So much may still come before take() must be called.
  std::size_t free_bytes() const;

 private:
  std::string bytes_;
  std::size_t size_ = 0;  // of bytes_, so much has arrived
  std::size_t taken_ = 0;
  std::size_t scanned_ = 0;  // complete messages, not yet a group
  std::size_t most_bytes_;
};

// Throws Malformed, if the value is not one of its type.
Value value_in(const Message& message);

std::string encoded_names(const Class& type);

}  // namespace heddle::objectbase
