#include "multivent/program/scratch.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <mutex>
#include <new>
#include <vector>

namespace heddle::multivent {
namespace {

constinit std::mutex buffers_mutex;

// Where the buffer ends that lies behind `before` bytes.
std::size_t end_of(const ScratchBuffer& buffer, std::size_t before) {
  return (before + buffer.alignment - 1) / buffer.alignment * buffer.alignment + buffer.bytes;
}

std::vector<const ScratchBuffer*>& buffers_apart() {
  static std::vector<const ScratchBuffer*> apart;
  return apart;
}

}  // namespace

void set_apart(const ScratchBuffer& buffer) {
  const std::lock_guard lock(buffers_mutex);
  std::vector<const ScratchBuffer*>& apart = buffers_apart();
  if (std::find(apart.begin(), apart.end(), &buffer) == apart.end()) apart.push_back(&buffer);
}

ThreadScratch::ThreadScratch() {
  const std::lock_guard lock(buffers_mutex);
  for (const ScratchBuffer* buffer : buffers_apart()) bytes_ = end_of(*buffer, bytes_);
  if (bytes_ == 0) return;
  block_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block_ == MAP_FAILED) throw std::bad_alloc();
  std::size_t end = 0;
  for (const ScratchBuffer* buffer : buffers_apart()) {
    end = end_of(*buffer, end);
    *buffer->where() = static_cast<char*>(block_) + end - buffer->bytes;
  }
}

ThreadScratch::~ThreadScratch() {
  if (block_ == nullptr) return;
  const std::lock_guard lock(buffers_mutex);
  for (const ScratchBuffer* buffer : buffers_apart()) *buffer->where() = buffer->own;
  munmap(block_, bytes_);
}

}  // namespace heddle::multivent
