// What one invocation has touched so far, each thing once: a loop over one variable is one access.
//
// Two accesses are the same if they are to the same bytes of the same object, in the same mode. The last one stands for
// all of them, because fewer invocations are ordered after it. Memory is bounded, for the owner empties a full table.
#pragma once

#include <cstdint>
#include <vector>

#include "elyze/oracle/abi.hpp"

namespace heddle::oracle {

struct Touch {
  std::uint64_t offset;
  std::uint64_t bytes;
  std::uint32_t object;
  std::uint16_t step;
  std::uint16_t flags;  // as in schemas::AccessRecord
  HeddleOracleSite* site;
};

class Touched {
 public:
  Touched();
  void add(const Touch& touch);
  bool full() const { return touches_.size() >= kMost; }
  // Ordered, with neighbours that one place touched in one step joined; empty afterwards.
  std::vector<Touch>& sorted();
  void clear();

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 18;
  static std::size_t hash(const Touch& touch);
  void grow();

  std::vector<Touch> touches_;
  std::vector<std::uint32_t> slots_;  // index + 1 into touches_; a power of two, at most half full
};

}  // namespace heddle::oracle
