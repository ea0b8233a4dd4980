// What an editor proposes: changes of several objects, all of which are made, or none.
#pragma once

#include <cstdint>
#include <string_view>

#include "objectbase/transport/message.hpp"
#include "objectbase/transport/transport.hpp"

namespace heddle::objectbase {

// An object that an edit creates has this number, plus its place among them, until the owner gives it its own.
inline constexpr std::uint64_t kProposed = std::uint64_t{0xffffffff} << 32;

class Edit {
 public:
  // The object may be used in the rest of the edit, as a value too, and nowhere else: its number comes with the answer.
  ObjectId create(std::string_view type) {
    group_.add(MessageKind::kCreate, kProposed + ++created_, 0, type);
    return {kProposed + created_};
  }
  template <class T>
  void set(ObjectId id, unsigned slot, const T& value) {
    group_.add_value(id.number, slot, to_value(value));
  }
  void erase(ObjectId id) { group_.add(MessageKind::kErase, id.number); }
  // The edit is refused if the object has changed since the state that the editor saw when it began the edit.
  void expect(ObjectId id) {
    group_.add(MessageKind::kExpect, id.number, 0, {reinterpret_cast<const char*>(&commit_), sizeof commit_},
               static_cast<std::uint8_t>(Type::kInteger));
  }

 private:
  friend class Editor;
  explicit Edit(std::uint64_t commit) : commit_(commit) {}

  Outgoing group_;
  std::uint64_t commit_;
  std::uint64_t created_ = 0;
};

}  // namespace heddle::objectbase
