#include "telemetry/say.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/unsignalled.hpp"

namespace heddle::telemetry {

namespace {

// Written before main, then constant.
struct {
  bool noted = false;
  bool open = false;
  dev_t device = 0;
  ino_t file = 0;
} standard_error;

}  // namespace

void note_standard_error() {
  struct stat found{};
  standard_error.noted = true;
  standard_error.open = fstat(STDERR_FILENO, &found) == 0;
  standard_error.device = found.st_dev;
  standard_error.file = found.st_ino;
}

void say(std::string_view text) {
  if (standard_error.noted) {
    struct stat now{};
    if (!standard_error.open || fstat(STDERR_FILENO, &now) != 0 || now.st_dev != standard_error.device ||
        now.st_ino != standard_error.file)
      return;
  }
  const base::Unsignalled unsignalled;
  while (!text.empty()) {
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace heddle::telemetry
