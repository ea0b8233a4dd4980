#include "multivent/loop/library.hpp"

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

extern "C" {
[[gnu::weak]] void event_warnx(const char* format, ...);
[[gnu::weak]] void event_msgx(const char* format, ...);
[[gnu::weak]] void event_errx(int code, const char* format, ...);
}

namespace heddle::multivent::library {

namespace {

constexpr std::size_t kLongestMessage = 512;

}  // namespace

bool present() { return event_warnx != nullptr && event_errx != nullptr; }

void warn(const char* format, ...) {
  const int error = errno;
  char text[kLongestMessage];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  warn_x("%s: %s", text, strerrordesc_np(error));
  errno = error;
}

void warn_x(const char* format, ...) {
  char text[kLongestMessage];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (event_warnx != nullptr) {
    event_warnx("%s", text);
  } else {
    std::fprintf(stderr, "[warn] %s\n", text);
  }
}

constinit thread_local Kept* kept = nullptr;

namespace {

void keep(const char* text) {
  if (kept == nullptr) kept = new Kept;
  kept->emplace_back(text);
}

}  // namespace

void warn_later(const char* format, ...) {
  const int error = errno;
  char text[kLongestMessage];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  warn_x_later("%s: %s", text, strerrordesc_np(error));
  errno = error;
}

void warn_x_later(const char* format, ...) {
  char text[kLongestMessage];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  keep(text);
}

void say_it() {
  const int error = errno;
  const std::unique_ptr<Kept> all(std::exchange(kept, nullptr));
  for (const std::string& text : *all) warn_x("%s", text.c_str());
  errno = error;
}

void message(const char* format, ...) {
  char text[kLongestMessage];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (event_msgx != nullptr) {
    event_msgx("%s", text);
  } else {
    std::fprintf(stderr, "[msg] %s\n", text);
  }
}

void fatal(int exit_code, const char* format, ...) {
  char text[kLongestMessage];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (event_errx != nullptr) event_errx(exit_code, "%s", text);
  std::fprintf(stderr, "[err] %s\n", text);
  if (exit_code == kAbort) std::abort();
  std::exit(exit_code);  // NOLINT(concurrency-mt-unsafe): as libevent's event_errx does
}

const char* environment(const char* name) { return secure_getenv(name); }

}  // namespace heddle::multivent::library
