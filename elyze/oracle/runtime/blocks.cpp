#include "elyze/oracle/runtime/blocks.hpp"

namespace heddle::oracle {

Block* Blocks::search(Address at) {
  auto after = blocks_.upper_bound(at);
  if (after == blocks_.begin()) return nullptr;
  Block& block = std::prev(after)->second;
  if (at - block.start >= block.bytes) return nullptr;
  recent_[slot(at)].block = &block;
  return &block;
}

Block& Blocks::add(Address start, std::uint64_t bytes, std::uint32_t id) {
  if (const auto old = blocks_.find(start); old != blocks_.end()) remove(old->second);
  Block& block = blocks_[start];
  block.start = start;
  // A block of no bytes has an address too.
  block.bytes = bytes == 0 ? 1 : bytes;
  block.id = id;
  return block;
}

void Blocks::remove(Block& block) {
  for (Recent& recent : recent_)
    if (recent.block == &block) recent.block = nullptr;
  blocks_.erase(block.start);
}

void Blocks::remove_any_of(Address at, std::uint64_t bytes) {
  auto next = blocks_.upper_bound(at);
  if (next != blocks_.begin() && at - std::prev(next)->first < std::prev(next)->second.bytes) --next;
  while (next != blocks_.end() && next->first < at + bytes) remove((next++)->second);
}

}  // namespace heddle::oracle
