// Finds the block of the heap that an address lies in, so that freed and reused memory is not taken for the block it
// once was. Says of each block whether only the invocation that allocated it knows it.
//
// Takes no lock: every caller holds the one behind Guard (process.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <map>

#include "elyze/oracle/abi.hpp"

namespace heddle::oracle {

using Address = std::uintptr_t;

struct Block {
  Address start = 0;
  std::uint64_t bytes = 0;
  std::uint32_t id = 0;
  std::uint32_t made_by = 0;     // invocation, 0 for none
  std::uint32_t private_to = 0;  // invocation that alone knows it, 0 for none
  std::uint32_t written_in = 0;  // trace that describes it already; traces are numbered from 1
  HeddleOracleSite* site = nullptr;
};

class Blocks {
 public:
  // Null if the address is in none.
  Block* find(Address at) {
    const Recent& recent = recent_[slot(at)];
    if (recent.block != nullptr && at - recent.block->start < recent.block->bytes) return recent.block;
    return search(at);
  }
  Block& add(Address start, std::uint64_t bytes, std::uint32_t id);
  void remove(Block& block);
  // Each block that has one of the bytes.
  void remove_any_of(Address at, std::uint64_t bytes);

 private:
  struct Recent {
    Block* block = nullptr;
  };
  static std::size_t slot(Address at) { return (at >> 6) % 64; }
  Block* search(Address at);

  std::map<Address, Block> blocks_;
  std::array<Recent, 64> recent_{};
};

}  // namespace heddle::oracle
