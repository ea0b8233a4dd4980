// Stacks for a million threads.
//
// A stack is 64 KB of address space, of which the kernel gives memory to those pages only that were used: one page for
// a thread that waits in a shallow call. They come from slabs of 64 MB, for each mapping of its own would soon be one
// too many (vm.max_map_count is 65,530 by default). The lowest page of a stack is its guard: to run into it is a fault,
// which core/overflow.cpp reports. Kernels from 6.13 guard pages inside a mapping (MADV_GUARD_INSTALL, madvise(2)).
// Older ones need a mapping per guard, so only the first kMostProtected stacks have one; the lowest page of the others
// must stay untouched, which is checked when their threads are switched away from (untouched()).
//
// A stack that is given back is used again first, while it is in the caches, by the worker that has it; of those that
// nobody has used for long the memory goes back to the kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace heddle::pico {

class Stack {
 public:
  static constexpr std::size_t kBytes = std::size_t{64} << 10;
  static constexpr std::size_t kGuard = 4096;

  Stack() = default;
  explicit Stack(char* bottom, bool guarded) : bottom_(bottom), guarded_(guarded) {}

  explicit operator bool() const { return bottom_ != nullptr; }
  char* bottom() const { return bottom_; }
  char* top() const { return bottom_ + kBytes; }

  // False if a thread has certainly run over the end of its stack.
  bool intact() const { return guarded_ || untouched(); }

 private:
  // Reading gives a page that nobody has written no memory of its own. Words at both ends: a frame that is larger than
  // the page may skip them, as it may skip a guard.
  bool untouched() const {
    const auto* const words = reinterpret_cast<const volatile std::uint64_t*>(bottom_);
    return (words[0] | words[kGuard / sizeof(std::uint64_t) - 1]) == 0;
  }

  char* bottom_ = nullptr;
  bool guarded_ = true;
};

// All stacks of the process. May be used by several kernel threads.
class StackSource {
 public:
  static StackSource& of_the_process();

  // Takes `count` stacks and appends them to `to`. std::bad_alloc if the kernel gives no more address space.
  void take(std::size_t count, std::vector<Stack>& to);
  // Takes `count` back from the end of `from`, and their memory if there are many already.
  void give_back(std::size_t count, std::vector<Stack>& from);

  // The lowest address of the stack whose guard page `address` lies in; null if it lies in none. May be called by a
  // signal handler.
  const char* guarded_stack_at(const void* address) const;

 private:
  static constexpr std::size_t kSlabStacks = 1024;
  static constexpr std::size_t kMostSlabs = std::size_t{1} << 14;  // one TB
  static constexpr std::size_t kMostProtected = 16'000;
  static constexpr std::size_t kMostKeptWarm = 16'384;

  StackSource();
  void map_slab();
  std::size_t guard_many(char* slab) const;
  bool guard(char* bottom);

  mutable std::mutex mutex_;  // guards all that follows
  std::vector<Stack> free_;
  std::size_t protected_ = 0;
  bool kernel_guards_ = true;  // until it says otherwise
  // The first slab_count_ are set and stay as they are; read by signal handlers without the mutex, so slab_count_ is
  // written behind them (release, with guarded_stack_at()'s acquire).
  std::vector<char*> slabs_;
  std::size_t slab_count_ = 0;
};

// The stacks that a worker has at hand. For its kernel thread.
class StackCache {
 public:
  StackCache() { free_.reserve(kMost); }  // so that give_back() does not throw
  ~StackCache() { StackSource::of_the_process().give_back(free_.size(), free_); }
  StackCache(const StackCache&) = delete;
  StackCache& operator=(const StackCache&) = delete;

  Stack take() {
    if (free_.empty()) StackSource::of_the_process().take(kBatch, free_);
    const Stack stack = free_.back();
    free_.pop_back();
    return stack;
  }

  void give_back(Stack stack) {
    free_.push_back(stack);
    if (free_.size() >= kMost) StackSource::of_the_process().give_back(kMost / 2, free_);
  }

 private:
  static constexpr std::size_t kBatch = 32;
  static constexpr std::size_t kMost = 4096;

  std::vector<Stack> free_;
};

}  // namespace heddle::pico
