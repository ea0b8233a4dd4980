// Access traces: what every invocation of every handler touched in one serial run.
//
// Writer: elyze/oracle/runtime. Reader: python/heddle/oracle/accesses.py (numpy). Both take the layout from here.
//
// The file starts with kAccessMagic. Blocks follow, each with a header of 8 bytes
//
//   byte 0  kind, a BlockKind   (uint32, little-endian as everything)
//        4  bytes of content    (uint32)
//
// and this content:
//
//   kText         lines of text, fields apart by tabs:
//                   program  PATH  BUILD-ID or -
//                   site     ID  LINE  FUNCTION  FILE  OBJECT
//                   global   ADDRESS  BYTES  NAME  FILE  LINE
//                   hidden   OBJECT-ID  NAME     state of a library or of the system
//   kObjects      ObjectRecord, repeated
//   kInvocations  InvocationRecord, repeated, in the order in which they started
//   kAccesses     AccessRecord, repeated
//   kEnd          EndRecord, once, last: a file without it was cut short
//
// Something is described (text, object, invocation) before the first record that refers to it.
//
// Invocations are numbered from 1. `parent` is the invocation that made this one due, and `parent_step` how many
// invocations that one had made due before: what it did in its steps up to and including this one happened before.
// 0 is the program before its loop, which happens before everything.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::schemas {

inline constexpr char kAccessMagic[8] = {'H', 'E', 'D', 'A', 'C', 'C', '0', '1'};

// The file's layout gives both four bytes.
// NOLINTBEGIN(performance-enum-size)
enum class BlockKind : std::uint32_t { kText = 1, kObjects = 2, kInvocations = 3, kAccesses = 4, kEnd = 5 };

struct BlockHeader {
  BlockKind kind;
  std::uint32_t bytes;
};

// Object 0 is all memory that is never freed, and all that nothing is known about: there, offsets are addresses. A
// block that is freed and allocated again is another object.
enum class ObjectKind : std::uint32_t { kHeap = 1, kHidden = 2, kFile = 3 };
// NOLINTEND(performance-enum-size)

struct ObjectRecord {
  std::uint32_t id;
  ObjectKind kind;
  std::uint64_t address;
  std::uint64_t bytes;
  std::uint32_t site;     // where it was made, 0 if that is not known
  std::uint32_t made_by;  // the invocation that made it, 0 for none
};

struct InvocationRecord {
  std::uint32_t id;
  std::uint32_t handler;  // a site
  std::uint32_t parent;
  std::uint32_t parent_step;
  std::uint64_t session;         // the handler's last argument
  std::uint32_t session_object;  // the object it points into, 0 if it is none
  std::uint32_t reserved;
};

struct AccessRecord {
  static constexpr std::uint16_t kWrites = 1;
  static constexpr std::uint16_t kAtomic = 2;
  static constexpr std::uint16_t kLate = 4;  // behind a late point (heddle build --late)

  std::uint32_t invocation;
  std::uint32_t object;
  std::uint64_t offset;
  std::uint64_t bytes;
  std::uint32_t site;
  std::uint16_t step;  // the last step in which it happened; the highest stands for all above
  std::uint16_t flags;
};

struct EndRecord {
  std::uint64_t objects;
  std::uint64_t invocations;
  std::uint64_t accesses;
};

static_assert(sizeof(BlockHeader) == 8 && sizeof(ObjectRecord) == 32 && sizeof(InvocationRecord) == 32);
static_assert(sizeof(AccessRecord) == 32 && offsetof(AccessRecord, site) == 24 && sizeof(EndRecord) == 24);

}  // namespace heddle::schemas
