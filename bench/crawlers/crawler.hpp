// What the three crawlers of this folder share: how a page is fetched, which links it has, and what is told at the end.
// They differ only in who does it: a pico thread for each URL, a system thread for each URL, or a pool of system
// threads whose memory is used again.
//
//   PROGRAM PORT     begins at / of 127.0.0.1:PORT and visits each page of that server once
//
// On standard output each page has a line, in any order: its path, status, and bytes of its body. On standard error is
// one line of JSON: {"pages", "bytes", "seconds", "cpu_s", "peak_kb"} (memory that was resident at most).
//
// A page is fetched by HTTP/1.1 over a connection of its own, which the server closes. So the end of the answer is that
// of the connection.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace crawlers {

// The bytes of an answer. Grows as they come; clear() keeps the memory.
class Page {
 public:
  std::span<char> room() {
    if (size_ == capacity_) grow();
    return {bytes_.get() + size_, capacity_ - size_};
  }
  void added(std::size_t count) { size_ += count; }
  void clear() { size_ = 0; }
  std::string_view text() const { return {bytes_.get(), size_}; }

 private:
  static constexpr std::size_t kFirst = std::size_t{4} << 10;

  void grow() {
    capacity_ = capacity_ == 0 ? kFirst : 2 * capacity_;
    std::unique_ptr<char[]> larger(new char[capacity_]);
    if (size_ > 0) std::memcpy(larger.get(), bytes_.get(), size_);
    bytes_ = std::move(larger);
  }

  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

// Asks for `path` and reads the answer. `server` is connected: pico::Socket, or one with the same two calls.
template <class Socket>
void fetch(Socket& server, std::string_view path, Page& page) {
  char request[512];
  const int size =
      std::snprintf(request, sizeof request, "GET %.*s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                    static_cast<int>(path.size()), path.data());
  if (size >= static_cast<int>(sizeof request)) throw std::runtime_error("a path is too long");
  server.write(std::string_view(request, static_cast<std::size_t>(size)));
  while (const std::size_t count = server.read(page.room())) page.added(count);
}

// Calls found(path) for each link of an answer, as often as it is there.
template <class Found>
void for_each_link(std::string_view answer, Found found) {
  constexpr std::string_view kBefore = " href=\"";
  const char* const end = answer.data() + answer.size();
  const auto left = [end](const char* at) { return static_cast<std::size_t>(end - at); };
  const char* at = answer.data();
  while (const void* next = memmem(at, left(at), kBefore.data(), kBefore.size())) {
    const char* begin = static_cast<const char*>(next) + kBefore.size();
    const void* quote = std::memchr(begin, '"', left(begin));
    if (quote == nullptr) return;
    at = static_cast<const char*>(quote);
    found(std::string_view(begin, static_cast<std::size_t>(at - begin)));
  }
}

// Prints the line of a page; returns the bytes of its body. By any thread. std::runtime_error if it is no answer.
inline std::size_t print_page(std::string_view path, std::string_view answer) {
  const std::size_t head = answer.find("\r\n\r\n");
  if (!answer.starts_with("HTTP/1.1 ") || head == std::string_view::npos) throw std::runtime_error("no answer");
  const std::size_t bytes = answer.size() - head - 4;
  std::printf("%.*s %.3s %zu\n", static_cast<int>(path.size()), path.data(), answer.data() + 9, bytes);
  return bytes;
}

// The memory of this process that was resident at most, in KB, by proc_pid_status(5). That of getrusage() counts the
// program that started this one, too.
inline std::size_t peak_kb() {
  std::ifstream status("/proc/self/status");
  std::string word;
  std::size_t kilobytes = 0;
  while (status >> word && word != "VmHWM:") continue;
  status >> kilobytes;
  return kilobytes;
}

// The figures of a crawl that begins when this is made.
class Figures {
 public:
  void print(std::size_t pages, std::size_t bytes) const {
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start_;
    timespec cpu{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    std::fprintf(stderr,
                 R"({"pages": %zu, "bytes": %zu, "seconds": %.6f, "cpu_s": %.6f, "peak_kb": %zu})"
                 "\n",
                 pages, bytes, time.count(), static_cast<double>(cpu.tv_sec) + static_cast<double>(cpu.tv_nsec) / 1e9,
                 peak_kb());
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// The only argument. Ends the program if there is another number of them.
inline std::uint16_t port_of(int count, char** words) {
  if (count != 2) std::exit(2);
  return static_cast<std::uint16_t>(std::strtoul(words[1], nullptr, 10));
}

}  // namespace crawlers
