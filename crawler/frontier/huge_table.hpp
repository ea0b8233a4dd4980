// A table of many megabytes that is looked into at random places costs two waits for each look: one for the memory, and
// one for its page's address. This one lies in pages of 2 MB, where the system has them, of which few addresses are
// needed. All its entries are zeros at first, and take no memory before they are used.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

namespace heddle::crawler {

template <class Entry>
class HugeTable {
  static_assert(std::is_trivially_copyable_v<Entry> && std::is_trivially_destructible_v<Entry>);

 public:
  // std::bad_alloc if there is no memory.
  explicit HugeTable(std::size_t size) : size_(size), mapped_bytes_(size * sizeof(Entry) + kHugePage) {
    mapped_ = mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped_ == MAP_FAILED) throw std::bad_alloc();
    const auto address = (reinterpret_cast<std::uintptr_t>(mapped_) + kHugePage - 1) / kHugePage * kHugePage;
    entries_ = reinterpret_cast<Entry*>(address);
    madvise(entries_, size * sizeof(Entry), MADV_HUGEPAGE);  // without it, it is slower
  }
  ~HugeTable() { munmap(mapped_, mapped_bytes_); }
  HugeTable(const HugeTable&) = delete;
  HugeTable& operator=(const HugeTable&) = delete;

  std::size_t size() const { return size_; }
  Entry& operator[](std::size_t at) { return entries_[at]; }
  const Entry& operator[](std::size_t at) const { return entries_[at]; }

 private:
  static constexpr std::size_t kHugePage = std::size_t{2} << 20U;

  std::size_t size_;
  std::size_t mapped_bytes_;
  void* mapped_;
  Entry* entries_;
};

}  // namespace heddle::crawler
