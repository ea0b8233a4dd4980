// How two halves of a program come to know of objects: one owns the store and changes it, the others, its editors, show
// the objects and propose changes. The ways differ in what they cost, and in nothing else that can be seen.
//
//   Owner owner("/dev/shm/board", Transport::kMapped, {.decide = ...});     // owner.hpp
//   Editor editor("/dev/shm/board", Transport::kMapped);                    // editor.hpp, in another process
//
// Their names in the thesis that compared the first, second, fourth and fifth (Pham, "Migration of a distributed
// application from single-threaded processes to multithreaded tasks with shared memory", MIT 1991, section 4.3): V1,
// V2, V3a, V3b. V1c shows what of the gain comes of fewer writes alone, V4 that threads are not needed for it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "objectbase/objectbase.hpp"

namespace heddle::objectbase {

enum class Transport : std::uint8_t {
  kSockets,         // V1: processes; a message for each slot written, with its value, one write each
  kBatchedSockets,  // V1c: the same, all messages of a transaction in one write
  kThreadSockets,   // V2: V1 between threads
  kThreadValues,    // V3a: threads; a message for each slot written, whose value is looked up in the store
  kThreadObjects,   // V3b: threads; a message for each object changed
  kMapped,          // V4: processes that map the store to read; one wake-up for any number of transactions
};
inline constexpr std::array kTransports = {Transport::kSockets,       Transport::kBatchedSockets,
                                           Transport::kThreadSockets, Transport::kThreadValues,
                                           Transport::kThreadObjects, Transport::kMapped};

// V1 to V4.
std::string_view name_of(Transport transport);
std::optional<Transport> transport_named(std::string_view name);

// Of what a transport consists.
struct Manner {
  bool threads;   // both sides are threads of one process; otherwise each may be in a process of its own
  bool values;    // messages carry values, and editors keep a copy; otherwise they look them up, and edits are staged
  bool watches;   // editors are told of changes by the store
  bool objects;   // a message is about an object; otherwise about a slot
  bool together;  // all messages of a transaction or of an edit are one write
};
Manner manner_of(Transport transport);

// What one side has sent through sockets and pipes.
struct Traffic {
  std::uint64_t messages = 0;  // writes
  std::uint64_t bytes = 0;
};

// A class as an editor knows it.
struct Form {
  std::uint32_t number = 0;
  std::string name;
  std::vector<std::string> slots;

  // The place of a slot. Throws base::UserError.
  unsigned slot(std::string_view slot_name) const;
};

// What has become of an edit.
struct Answer {
  std::uint64_t edit = 0;         // as Editor::propose() returned it
  std::string refused;            // why; empty: it has been made
  std::vector<ObjectId> created;  // in the order in which the edit creates them
  std::uint64_t commit = 0;       // the state with the edit; 0 if it was refused

  bool accepted() const { return refused.empty(); }
};

// What an editor has not seen before.
struct News {
  std::vector<ObjectId> objects;  // made, changed or erased, each once, by their numbers
  std::vector<Answer> answers;

  bool empty() const { return objects.empty() && answers.empty(); }
};

// For slots: what is not a Value yet.
template <class Number>
  requires std::is_integral_v<Number>
Value to_value(Number number) {
  return static_cast<std::int64_t>(number);
}
inline Value to_value(double number) { return number; }
inline Value to_value(ObjectId id) { return id; }
inline Value to_value(std::string_view text) { return text; }
inline Value to_value(const char* text) { return std::string_view(text); }
inline Value to_value(const std::string& text) { return std::string_view(text); }
inline Value to_value(Bytes bytes) { return bytes; }
inline Value to_value(const Value& value) { return value; }

}  // namespace heddle::objectbase
