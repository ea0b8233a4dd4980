// Watches the program's allocations: defines malloc() and its like, which glibc's own functions (strdup) call as well,
// and passes each call on to glibc's allocator; and mmap() and its like, which pass theirs on to the kernel.
#include <malloc.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

#include "elyze/oracle/runtime/process.hpp"

using namespace heddle::oracle;

extern "C" {

// NOLINTBEGIN(bugprone-reserved-identifier): glibc's own names
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* block, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
void __libc_free(void* block);
// NOLINTEND(bugprone-reserved-identifier)

}  // extern "C"

namespace {

void* noted(void* block, std::size_t bytes, bool may_be_private = true) {
  if (block == nullptr) return block;
  const Guard guard;
  if (guard) guard.recorder().allocated(guard.thread(), reinterpret_cast<Address>(block), bytes, may_be_private);
  return block;
}

void forget(void* block) {
  if (block == nullptr) return;
  const Guard guard;
  if (guard) guard.recorder().freed(reinterpret_cast<Address>(block));
}

void forget_pages(void* at, std::size_t bytes) {
  const Guard guard;
  if (guard) guard.recorder().unmapped(reinterpret_cast<Address>(at), bytes);
}

}  // namespace

extern "C" {

// Shared memory may have other addresses, too: it is no block. Nor is what cannot be read, for the recorder looks for
// pointers in a block.
void* mmap(void* wanted, std::size_t bytes, int protection, int flags, int descriptor, off_t offset) noexcept {
  void* const at =
      reinterpret_cast<void*>(syscall(SYS_mmap, wanted, bytes, protection, flags, descriptor, offset));  // NOLINT
  if (at == MAP_FAILED) return at;
  forget_pages(at, bytes);
  return (flags & MAP_PRIVATE) != 0 && (protection & PROT_READ) != 0 ? noted(at, bytes) : at;
}

void* mmap64(void* wanted, std::size_t bytes, int protection, int flags, int descriptor, off_t offset) noexcept {
  return mmap(wanted, bytes, protection, flags, descriptor, offset);
}

int munmap(void* at, std::size_t bytes) noexcept {
  forget_pages(at, bytes);
  return static_cast<int>(syscall(SYS_munmap, at, bytes));
}

int mprotect(void* at, std::size_t bytes, int protection) noexcept {
  if ((protection & PROT_READ) == 0) forget_pages(at, bytes);
  return static_cast<int>(syscall(SYS_mprotect, at, bytes, protection));
}

void* malloc(std::size_t bytes) { return noted(__libc_malloc(bytes), bytes); }
void* calloc(std::size_t count, std::size_t bytes) { return noted(__libc_calloc(count, bytes), count * bytes); }

void free(void* block) {
  const int before = errno;
  forget(block);
  __libc_free(block);
  errno = before;
}

void* realloc(void* block, std::size_t bytes) {
  // If the block stays in place, whoever knows the old address knows the new block too.
  const auto before = reinterpret_cast<Address>(block);
  forget(block);
  void* const now = __libc_realloc(block, bytes);
  if (now == nullptr && bytes != 0) return noted(block, malloc_usable_size(block), false), nullptr;
  return noted(now, bytes, reinterpret_cast<Address>(now) != before);
}

void* memalign(std::size_t alignment, std::size_t bytes) { return noted(__libc_memalign(alignment, bytes), bytes); }
void* aligned_alloc(std::size_t alignment, std::size_t bytes) { return memalign(alignment, bytes); }
void* valloc(std::size_t bytes) { return memalign(4096, bytes); }

int posix_memalign(void** result, std::size_t alignment, std::size_t bytes) {
  if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
  void* const block = memalign(alignment, bytes);
  if (block == nullptr) return ENOMEM;
  *result = block;
  return 0;
}

}  // extern "C"
