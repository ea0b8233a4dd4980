// The program's static buffers of which each thread of a crew has its own.
//
// A program that was built with `heddle build --scratch` asks a variable of the thread where such a buffer is; for
// every thread that is the program's own buffer, at first. Of those that the constraints name, each invocation writes
// what it reads and keeps no pointer, so a thread may as well be told of another place. The thread that entered the
// loop keeps the program's own, where main finds it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::multivent {

// One of them, as the compiler's plugin lays it out (elyze/plugin/scratch.cpp).
struct ScratchBuffer {
  std::uint64_t number;
  std::uint64_t bytes;
  std::uint64_t alignment;
  void** (*where)();  // the calling thread's variable
  void* own;          // the program's buffer
};

// From now on threads that make a ThreadScratch have their own.
void set_apart(const ScratchBuffer& buffer);

// While it lives, its thread has its own of the buffers that were set apart before.
class ThreadScratch {
 public:
  ThreadScratch();
  ~ThreadScratch();
  ThreadScratch(const ThreadScratch&) = delete;
  ThreadScratch& operator=(const ThreadScratch&) = delete;

 private:
  void* block_ = nullptr;  // of the kernel: an allocator of the program's own may be in the middle of a handler
  std::size_t bytes_ = 0;
};

}  // namespace heddle::multivent
