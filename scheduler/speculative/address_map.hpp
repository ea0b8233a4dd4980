// Which objects a transaction has read, or where in its log it wrote them.
//
// Exact, unlike the Bloom filters of InvalSTM (Gottschlich, Vachharajani, Siek, An Efficient Software Transactional
// Memory Using Commit-Time Invalidation, CGO 2010): a false conflict costs a whole event here. Open addressing; to
// clear it takes the same time however large it once was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::speculative {

class AddressMap {
 public:
  // Null if there is none.
  const std::size_t* find(const void* address) const {
    if (count_ == 0) return nullptr;
    for (std::size_t i = start(address);; i = (i + 1) & mask_) {
      const Slot& slot = slots_[i];
      if (slot.age != age_) return nullptr;
      if (slot.address == address) return &slot.value;
    }
  }
  bool contains(const void* address) const { return find(address) != nullptr; }

  // Unless it is there already. std::bad_alloc leaves all as it was.
  void insert(const void* address, std::size_t value) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    if (put(address, value)) ++count_;
  }

  void clear() {
    count_ = 0;
    ++age_;
  }

 private:
  struct Slot {
    const void* address = nullptr;
    std::size_t value = 0;
    std::uint64_t age = 0;  // occupied if it is that of the map
  };
  static constexpr std::size_t kLeast = 16;

  std::size_t start(const void* address) const {
    const auto bits = reinterpret_cast<std::uintptr_t>(address) >> 3;
    return (bits * 0x9E3779B97F4A7C15U >> 20) & mask_;
  }

  bool put(const void* address, std::size_t value) {
    std::size_t i = start(address);
    for (; slots_[i].age == age_; i = (i + 1) & mask_)
      if (slots_[i].address == address) return false;
    slots_[i] = {address, value, age_};
    return true;
  }

  void grow() {
    std::vector<Slot> larger(slots_.empty() ? kLeast : 2 * slots_.size());
    larger.swap(slots_);
    mask_ = slots_.size() - 1;
    for (const Slot& slot : larger)
      if (slot.age == age_) put(slot.address, slot.value);
  }

  std::vector<Slot> slots_;  // a power of two of them
  std::size_t mask_ = 0;
  std::size_t count_ = 0;
  std::uint64_t age_ = 1;
};

}  // namespace heddle::speculative
