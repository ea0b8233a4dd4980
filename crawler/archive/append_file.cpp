#include "crawler/archive/append_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <vector>

#include "base/user_error.hpp"

namespace heddle::crawler {

AppendFile::AppendFile(const std::filesystem::path& path) : name_(path.string()) {
  if (name_ == "-") {
    name_ = "standard output";
    fd_ = STDOUT_FILENO;
  } else {
    // Of a pipe only the end to write to: with the other one, too, nobody would notice that the reader has gone.
    const bool device = std::filesystem::exists(path) && !std::filesystem::is_regular_file(path);
    fd_ = ::open(name_.c_str(), (device ? O_WRONLY : O_RDWR | O_CREAT) | O_APPEND | O_CLOEXEC, 0666);
    own_ = true;
  }
  struct stat status{};
  if (fd_ < 0 || ::fstat(fd_, &status) != 0) fail(base::errno_text());
  // Standard output may be a file, but it is not ours to read or to cut.
  regular_ = own_ && S_ISREG(status.st_mode);
  if (regular_) bytes_ = static_cast<std::uint64_t>(status.st_size);
}

AppendFile::~AppendFile() {
  if (own_ && fd_ >= 0) ::close(fd_);
}

void AppendFile::write(std::span<const std::string_view> pieces) {
  std::vector<iovec> rest;
  std::size_t size = 0;
  for (const std::string_view piece : pieces) {
    if (!piece.empty()) rest.push_back({const_cast<char*>(piece.data()), piece.size()});  // which writev(2) only reads
    size += piece.size();
  }
  for (std::size_t first = 0; first < rest.size();) {
    const std::size_t count = std::min<std::size_t>(rest.size() - first, IOV_MAX);
    const ssize_t written = ::writev(fd_, &rest[first], static_cast<int>(count));
    if (written >= 0) {
      auto left = static_cast<std::size_t>(written);
      for (; first < rest.size() && left >= rest[first].iov_len; ++first) left -= rest[first].iov_len;
      if (left > 0) rest[first] = {static_cast<char*>(rest[first].iov_base) + left, rest[first].iov_len - left};
    } else if (errno == EAGAIN) {
      // Somebody made our end of a pipe non-blocking.
      pollfd ready{fd_, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      const std::string why = base::errno_text();
      if (regular_) cut(bytes_);
      fail(why);
    }
  }
  if (regular_) bytes_ += size;
}

std::string AppendFile::read(std::uint64_t from, std::size_t most) const {
  std::string bytes(most, '\0');
  std::size_t size = 0;
  while (size < most) {
    const ssize_t read = ::pread(fd_, bytes.data() + size, most - size, static_cast<off_t>(from + size));
    if (read == 0) break;
    if (read > 0) size += static_cast<std::size_t>(read);
    if (read < 0 && errno != EINTR) fail(base::errno_text());
  }
  bytes.resize(size);
  return bytes;
}

void AppendFile::cut(std::uint64_t bytes) {
  if (::ftruncate(fd_, static_cast<off_t>(bytes)) != 0) fail(base::errno_text());
  bytes_ = bytes;
}

void AppendFile::fail(const std::string& what) const { throw base::UserError(name_ + ": " + what); }

}  // namespace heddle::crawler
