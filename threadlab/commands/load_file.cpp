#include "threadlab/commands/load_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace heddle::threadlab {

LoadFile::LoadFile(std::string name, std::string path, std::shared_ptr<Memory> into)
    : Command("load_file", std::move(name), {}, {into}), path_(std::move(path)), memory_(std::move(into)) {}

LoadFile::~LoadFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

Step LoadFile::part(Context& context) {
  const auto failed = [this] { return Step::done("file: " + path_ + ": " + std::generic_category().message(errno)); };
  if (descriptor_ < 0) {
    // O_NONBLOCK: a FIFO that nobody writes would keep open() for ever.
    descriptor_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor_ < 0) return failed();
    struct stat status{};
    if (fstat(descriptor_, &status) != 0) return failed();
    if (!S_ISREG(status.st_mode)) return Step::done("file: " + path_ + ": is not a regular file");
    buffer_.resize(kPart);
  }
  const iovec into{buffer_.data(), buffer_.size()};
  const int flags = std::exchange(may_block_, false) ? 0 : RWF_NOWAIT;
  ssize_t count = preadv2(descriptor_, &into, 1, static_cast<off_t>(at_), flags);
  if (count < 0 && errno == EOPNOTSUPP) count = preadv2(descriptor_, &into, 1, static_cast<off_t>(at_), 0);
  if (count < 0 && errno == EAGAIN) {
    may_block_ = true;
    return Step::disk();
  }
  if (count < 0) return errno == EINTR ? Step::ready() : failed();
  if (count == 0) {
    memory_->close();
    return Step::done();
  }
  memory_->append({buffer_.data(), static_cast<std::size_t>(count)}, context.locks());
  at_ += static_cast<std::size_t>(count);
  return Step::ready();
}

void LoadFile::end(Context&) {
  if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
  buffer_ = {};
}

}  // namespace heddle::threadlab
