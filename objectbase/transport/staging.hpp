// A segment of memory that an editor writes its edits into, and the owner its answers: two rings of bytes.
//
// The owner makes the segment, sealed so that nobody can make it smaller, and never believes what stands in it: how far
// it has read and written itself it keeps elsewhere, how far the editor says that it is must lie within the ring, and
// bytes are copied out before anybody looks at them. An editor that writes rubbish, at any moment, is found to be
// Malformed; no more comes of it.
//
// Who finds nothing to read says that it sleeps, and looks once more; who writes does so first, and looks afterwards
// whether the other sleeps. All four sequentially consistent: so either the reader sees the bytes, or the writer the
// sleeper. The same for a writer that waits for room. A position is stored when the bytes before it have been written,
// or copied out, and loaded before they are touched.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "objectbase/transport/channel.hpp"
#include "objectbase/transport/message.hpp"

namespace heddle::objectbase {

// In the segment. Positions count bytes from the beginning of time.
struct RingHead {
  alignas(64) std::atomic<std::uint64_t> written;  // by the writer
  alignas(64) std::atomic<std::uint64_t> read;     // by the reader
  std::atomic<std::uint32_t> reader_sleeps;        // set by the reader, cleared by whoever wakes it
  std::atomic<std::uint32_t> writer_waits;         // set by the writer, cleared by whoever wakes it
};

// One side's view of a ring.
class Ring {
 public:
  Ring(RingHead& head, char* bytes, std::size_t size) : head_(&head), bytes_(bytes), size_(size) {}

  // --- The writer ---
  // As much as there is room for; returns how much. Throws Malformed.
  std::size_t write(std::string_view bytes);
  std::size_t room() const;
  bool wait_for_room();  // false: there is some
  bool reader_slept();   // true, once, if the reader sleeps: it must be woken

  // --- The reader ---
  // Moves to the inbox what there is, as far as that takes it. Throws Malformed.
  std::size_t read(Inbox& inbox);
  bool sleep();          // false: there is something to read
  bool writer_waited();  // true, once, if the writer waits for room: it must be woken

 private:
  std::size_t arrived() const;

  RingHead* head_;
  char* bytes_;
  std::size_t size_;
  std::uint64_t position_ = 0;  // how far this side is
};

class Staging {
 public:
  // Throws base::UserError.
  static Staging make();
  // What an owner has made. Throws base::UserError if it is no such thing.
  explicit Staging(Descriptor descriptor);
  Staging(Staging&& other) noexcept;
  Staging& operator=(Staging&&) = delete;
  ~Staging();

  int descriptor() const { return descriptor_.number(); }
  Ring& edits() { return edits_; }
  Ring& answers() { return answers_; }

 private:
  Descriptor descriptor_;
  char* start_;
  Ring edits_;
  Ring answers_;
};

// Small enough to stay in a cache; what is larger goes through in parts.
inline constexpr std::size_t kEditsBytes = std::size_t{64} << 10;
inline constexpr std::size_t kAnswersBytes = std::size_t{16} << 10;
inline constexpr std::size_t kStagingHead = 4096;
inline constexpr std::size_t kStagingBytes = kStagingHead + kEditsBytes + kAnswersBytes;

}  // namespace heddle::objectbase
