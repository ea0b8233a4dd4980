// A cell is a place in memory as the points-to graph knows it: a byte in each of the objects that one node stands for,
// with the provenance of the pointers that lead there. Accesses cover a range of bytes.
#pragma once

#include <cstdint>

namespace heddle::elyze {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = 0xffffffff;
// Offsets from here on, of objects that take a terabyte of addresses, are told apart from none.
inline constexpr std::int64_t kFar = std::int64_t{1} << 40;
inline constexpr std::int64_t kUserMemory = std::int64_t{1} << 47;
inline constexpr bool is_far(std::int64_t offset) {
  return (offset >= kFar && offset < kUserMemory) || (offset <= -kFar && offset > -kUserMemory);
}

// What pointers were made from, and so which bytes they may be moved over (C17 6.5.6p8); see points_to/provenance.hpp.
using ProvenanceId = std::uint32_t;
inline constexpr ProvenanceId kNoProvenance = 0xffffffff;  // of anything

struct Cell {
  NodeId node = kNoNode;
  ProvenanceId provenance = kNoProvenance;
  std::int64_t offset = 0;
  Cell() = default;
  Cell(NodeId in, std::int64_t at, ProvenanceId from = kNoProvenance) : node(in), provenance(from), offset(at) {}
  bool valid() const { return node != kNoNode; }
  Cell plus(std::int64_t bytes) const { return {node, offset + bytes, provenance}; }
  bool at_same_place(const Cell& other) const { return node == other.node && offset == other.offset; }
  friend bool operator==(const Cell&, const Cell&) = default;
};

struct Range {  // bytes [low, high)
  std::int64_t low = 0;
  std::int64_t high = 0;
  bool overlaps(const Range& other) const { return low < other.high && other.low < high; }
  bool contains(std::int64_t byte) const { return low <= byte && byte < high; }
  Range shifted(std::int64_t by) const { return {low <= -kFar ? -kFar : low + by, high >= kFar ? kFar : high + by}; }
  friend bool operator==(const Range&, const Range&) = default;
};

inline constexpr Range kEverything{-kFar, kFar};

}  // namespace heddle::elyze
