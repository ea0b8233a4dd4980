#include "pico/core/stacks.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace heddle::pico {
namespace {

#ifdef MADV_GUARD_INSTALL
constexpr int kGuardInstall = MADV_GUARD_INSTALL;
#else
constexpr int kGuardInstall = 102;  // asm-generic/mman-common.h of Linux 6.13
#endif

}  // namespace

StackSource& StackSource::of_the_process() {
  static auto* const source = new StackSource;  // never destroyed: threads may outlive static objects
  return *source;
}

StackSource::StackSource() : slabs_(kMostSlabs) {}

void StackSource::take(std::size_t count, std::vector<Stack>& to) {
  const std::scoped_lock lock(mutex_);
  if (free_.size() < count) map_slab();
  to.insert(to.end(), free_.end() - static_cast<std::ptrdiff_t>(count), free_.end());
  free_.resize(free_.size() - count);
}

void StackSource::give_back(std::size_t count, std::vector<Stack>& from) {
  const std::scoped_lock lock(mutex_);
  for (; count > 0; --count) {
    const Stack stack = from.back();
    from.pop_back();
    // The guard stays (madvise(2)).
    if (free_.size() >= kMostKeptWarm)
      madvise(stack.bottom() + Stack::kGuard, Stack::kBytes - Stack::kGuard, MADV_DONTNEED);
    free_.push_back(stack);
  }
}

void StackSource::map_slab() {
  constexpr std::size_t kSlabBytes = kSlabStacks * Stack::kBytes;
  if (slab_count_ == kMostSlabs) throw std::bad_alloc();
  void* const slab =
      mmap(nullptr, kSlabBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (slab == MAP_FAILED) throw std::bad_alloc();
  // A huge page would give memory to 32 stacks at once.
  madvise(slab, kSlabBytes, MADV_NOHUGEPAGE);
  slabs_[slab_count_] = static_cast<char*>(slab);
  __atomic_store_n(&slab_count_, slab_count_ + 1, __ATOMIC_RELEASE);
  // The last is taken first: so stacks are used from the lowest address on, and neighbours share pages of page tables.
  for (std::size_t i = kSlabStacks; i-- > 0;) {
    char* const bottom = static_cast<char*>(slab) + i * Stack::kBytes;
    free_.emplace_back(bottom, guard(bottom));
  }
}

bool StackSource::guard(char* bottom) {
  if (kernel_guards_ && madvise(bottom, Stack::kGuard, kGuardInstall) == 0) return true;
  kernel_guards_ = false;
  if (protected_ == kMostProtected || mprotect(bottom, Stack::kGuard, PROT_NONE) != 0) return false;
  ++protected_;
  return true;
}

const char* StackSource::guarded_stack_at(const void* address) const {
  const auto* const at = static_cast<const char*>(address);
  const std::size_t count = __atomic_load_n(&slab_count_, __ATOMIC_ACQUIRE);
  for (std::size_t i = 0; i < count; ++i) {
    const char* const slab = slabs_[i];
    if (at < slab || at >= slab + kSlabStacks * Stack::kBytes) continue;
    const char* const bottom = slab + (at - slab) / Stack::kBytes * Stack::kBytes;
    return at < bottom + Stack::kGuard ? bottom : nullptr;
  }
  return nullptr;
}

}  // namespace heddle::pico
