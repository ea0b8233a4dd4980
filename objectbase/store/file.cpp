#include "objectbase/store/file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/user_error.hpp"

namespace heddle::objectbase {
namespace {

int lock_byte(int descriptor, std::uint64_t byte, short type, bool wait) {
  struct flock lock{};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = static_cast<off_t>(byte);
  lock.l_len = 1;
  int result = 0;
  do {
    result = fcntl(descriptor, wait ? F_OFD_SETLKW : F_OFD_SETLK, &lock);
  } while (result != 0 && errno == EINTR);
  return result;
}

}  // namespace

File File::create(const std::filesystem::path& path, unsigned mode) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (descriptor < 0) throw base::UserError(path.string() + ": cannot be created: " + base::errno_text());
  return File(path, descriptor);
}

File File::open(const std::filesystem::path& path, bool write) {
  const int descriptor = ::open(path.c_str(), (write ? O_RDWR : O_RDONLY) | O_CLOEXEC);
  if (descriptor < 0) throw base::UserError(path.string() + ": cannot be opened: " + base::errno_text());
  return File(path, descriptor);
}

File::File(File&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      start_(std::exchange(other.start_, nullptr)),
      mapped_(std::exchange(other.mapped_, 0)) {}

File& File::operator=(File&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(start_, other.start_);
  std::swap(mapped_, other.mapped_);
  return *this;
}

File::~File() {
  if (start_ != nullptr) munmap(start_, mapped_);
  if (descriptor_ >= 0) close(descriptor_);
}

void File::map(std::uint64_t bytes, bool write) {
  const int access = write ? PROT_READ | PROT_WRITE : PROT_READ;
  void* start = mmap(nullptr, bytes, access, MAP_SHARED | MAP_NORESERVE, descriptor_, 0);
  if (start == MAP_FAILED) throw base::UserError(about("cannot be mapped: " + base::errno_text()));
  start_ = static_cast<char*>(start);
  mapped_ = bytes;
}

bool File::reserve(std::uint64_t bytes) {
  int result = 0;
  do {
    result = posix_fallocate(descriptor_, 0, static_cast<off_t>(bytes));
  } while (result == EINTR);
  return result == 0;
}

std::uint64_t File::size() const {
  struct stat status{};
  return fstat(descriptor_, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

void File::lock(std::uint64_t byte) {
  if (lock_byte(descriptor_, byte, F_WRLCK, true) != 0)
    throw base::UserError(about("cannot be locked: " + base::errno_text()));
}
bool File::try_lock(std::uint64_t byte) { return lock_byte(descriptor_, byte, F_WRLCK, false) == 0; }
void File::unlock(std::uint64_t byte) { lock_byte(descriptor_, byte, F_UNLCK, false); }

}  // namespace heddle::objectbase
