#include "pico/core/stacks.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <new>

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif

namespace heddle::pico {
namespace {

// So that it takes a switch for one, and not for a stack pointer gone astray. The same instructions do nothing
// elsewhere.
void tell_valgrind([[maybe_unused]] char* bottom) {
#ifdef VALGRIND_STACK_REGISTER
  static_cast<void>(VALGRIND_STACK_REGISTER(bottom, bottom + Stack::kBytes));
#endif
}

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
  // For all that there are, so that give_back() does not throw.
  const std::size_t all = (slab_count_ + 1) * kSlabStacks;
  if (free_.capacity() < all) free_.reserve(std::max(all, 2 * free_.capacity()));
  void* const slab =
      mmap(nullptr, kSlabBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (slab == MAP_FAILED) throw std::bad_alloc();
  // A huge page would give memory to 32 stacks at once.
  madvise(slab, kSlabBytes, MADV_NOHUGEPAGE);
  slabs_[slab_count_] = static_cast<char*>(slab);
  __atomic_store_n(&slab_count_, slab_count_ + 1, __ATOMIC_RELEASE);
  const std::size_t guarded = guard_many(static_cast<char*>(slab));
  // The last is taken first: so stacks are used from the lowest address on, and neighbours share pages of page tables.
  for (std::size_t i = kSlabStacks; i-- > 0;) {
    char* const bottom = static_cast<char*>(slab) + i * Stack::kBytes;
    free_.emplace_back(bottom, i < guarded || guard(bottom));
    tell_valgrind(bottom);
  }
}

// As many of a slab as one call of the kernel guards, which takes half as long as a call for each. Returns how many.
std::size_t StackSource::guard_many(char* slab) const {
  if (!kernel_guards_) return 0;
  const int process = static_cast<int>(syscall(SYS_pidfd_open, getpid(), 0));
  if (process < 0) return 0;
  std::array<iovec, kSlabStacks> guards;  // IOV_MAX of them
  for (std::size_t i = 0; i < kSlabStacks; ++i) guards[i] = {slab + i * Stack::kBytes, Stack::kGuard};
  const ssize_t bytes = process_madvise(process, guards.data(), guards.size(), kGuardInstall, 0);
  close(process);
  return bytes < 0 ? 0 : static_cast<std::size_t>(bytes) / Stack::kGuard;
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
