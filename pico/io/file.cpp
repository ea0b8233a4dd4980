#include "pico/io/file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "pico/core/helpers.hpp"

namespace heddle::pico {
namespace {

// Makes a call of the kernel on a helper thread, again if a signal has interrupted it.
template <class Call>
auto made(const char* what, Call call) {
  return on_helper([&] {
    for (;;) {
      const auto result = call();
      if (result >= 0) return result;
      if (errno != EINTR) throw std::system_error(errno, std::generic_category(), what);
    }
  });
}

}  // namespace

File File::open(const std::string& path, int flags, mode_t mode) {
  return File(made(path.c_str(), [&] { return ::open(path.c_str(), flags | O_CLOEXEC, mode); }));
}

File::~File() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

File& File::operator=(File&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

std::size_t File::read(std::span<char> into) {
  return static_cast<std::size_t>(made("read", [&] { return ::read(descriptor_, into.data(), into.size()); }));
}

std::string File::read_all() {
  std::string all;
  for (std::size_t count = 1; count > 0;) {
    constexpr std::size_t kStep = std::size_t{1} << 20;
    const std::size_t before = all.size();
    all.resize(before + kStep);
    count = read(std::span(all).subspan(before));
    all.resize(before + count);
  }
  return all;
}

void File::write(std::string_view bytes) {
  while (!bytes.empty())
    bytes.remove_prefix(
        static_cast<std::size_t>(made("write", [&] { return ::write(descriptor_, bytes.data(), bytes.size()); })));
}

void File::sync() {
  made("fdatasync", [&] { return ::fdatasync(descriptor_); });
}

}  // namespace heddle::pico
