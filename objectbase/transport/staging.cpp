#include "objectbase/transport/staging.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/user_error.hpp"

namespace heddle::objectbase {
namespace {

char* mapped_staging(int descriptor) {
  struct stat status{};
  if (fstat(descriptor, &status) != 0 || status.st_size != static_cast<off_t>(kStagingBytes))
    throw base::UserError("objectbase: the staging segment has not the size that it should have");
  void* start = mmap(nullptr, kStagingBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (start == MAP_FAILED) throw base::UserError("objectbase: no staging segment: " + base::errno_text());
  return static_cast<char*>(start);
}

RingHead& head_in(char* start, std::size_t index) { return reinterpret_cast<RingHead*>(start)[index]; }

}  // namespace

// --- The writer ---

std::size_t Ring::room() const {
  const std::uint64_t used = position_ - head_->read.load(std::memory_order_seq_cst);
  if (used > size_) throw Malformed("a staging segment whose reader is where nothing has been written");
  return size_ - static_cast<std::size_t>(used);
}

std::size_t Ring::write(std::string_view bytes) {
  const std::size_t count = std::min(room(), bytes.size());
  const std::size_t at = position_ % size_;
  const std::size_t first = std::min(count, size_ - at);
  std::memcpy(bytes_ + at, bytes.data(), first);
  std::memcpy(bytes_, bytes.data() + first, count - first);
  position_ += count;
  head_->written.store(position_, std::memory_order_seq_cst);
  return count;
}

bool Ring::wait_for_room() {
  head_->writer_waits.store(1, std::memory_order_seq_cst);
  if (room() == 0) return true;
  head_->writer_waits.store(0, std::memory_order_relaxed);
  return false;
}

bool Ring::reader_slept() {
  return head_->reader_sleeps.load(std::memory_order_seq_cst) != 0 &&
         head_->reader_sleeps.exchange(0, std::memory_order_seq_cst) != 0;
}

// --- The reader ---

std::size_t Ring::arrived() const {
  const std::uint64_t count = head_->written.load(std::memory_order_seq_cst) - position_;
  if (count > size_) throw Malformed("a staging segment with more in it than it holds");
  return static_cast<std::size_t>(count);
}

std::size_t Ring::read(Inbox& inbox) {
  const std::size_t count = std::min(arrived(), inbox.free_bytes());
  if (count == 0) return 0;
  char* place = inbox.room(count);
  const std::size_t at = position_ % size_;
  const std::size_t first = std::min(count, size_ - at);
  std::memcpy(place, bytes_ + at, first);
  std::memcpy(place + first, bytes_, count - first);
  inbox.add(count);
  position_ += count;
  head_->read.store(position_, std::memory_order_seq_cst);
  return count;
}

bool Ring::sleep() {
  head_->reader_sleeps.store(1, std::memory_order_seq_cst);
  if (arrived() == 0) return true;
  head_->reader_sleeps.store(0, std::memory_order_relaxed);
  return false;
}

bool Ring::writer_waited() {
  return head_->writer_waits.load(std::memory_order_seq_cst) != 0 &&
         head_->writer_waits.exchange(0, std::memory_order_seq_cst) != 0;
}

// --- The segment ---

Staging Staging::make() {
  Descriptor made(memfd_create("objectbase-staging", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!made || ftruncate(made.number(), kStagingBytes) != 0 ||
      fcntl(made.number(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    throw base::UserError("objectbase: no staging segment: " + base::errno_text());
  return Staging(std::move(made));
}

Staging::Staging(Descriptor descriptor)
    : descriptor_(std::move(descriptor)),
      start_(mapped_staging(descriptor_.number())),
      edits_(head_in(start_, 0), start_ + kStagingHead, kEditsBytes),
      answers_(head_in(start_, 1), start_ + kStagingHead + kEditsBytes, kAnswersBytes) {}

Staging::Staging(Staging&& other) noexcept
    : descriptor_(std::move(other.descriptor_)),
      start_(std::exchange(other.start_, nullptr)),
      edits_(other.edits_),
      answers_(other.answers_) {}

Staging::~Staging() {
  if (start_ != nullptr) munmap(start_, kStagingBytes);
}

}  // namespace heddle::objectbase
