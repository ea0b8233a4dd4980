#include "multivent/stats/trace_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "multivent/core/user_error.hpp"

namespace heddle::multivent::stats {
namespace {

constexpr std::string_view kMagic = "HEDTRC01";
constexpr std::size_t kRecordsAlignment = 64;

std::string header_bytes(const Symbols& program, const std::vector<const Handler*>& handlers, unsigned threads) {
  nlohmann::ordered_json header = {{"schema", "heddle/trace"},
                                   {"version", 1},
                                   {"tool", {{"name", "heddle"}, {"version", HEDDLE_VERSION}}},
                                   {"program", {{"name", program.program_name()}, {"build_id", program.build_id()}}},
                                   {"clock", "CLOCK_MONOTONIC"},
                                   {"record_bytes", sizeof(schemas::TraceRecord)},
                                   {"threads", threads},
                                   {"handlers", nlohmann::ordered_json::array()}};
  for (const Handler* handler : handlers) header["handlers"].push_back(handler->name);
  const std::string text = header.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);

  static_assert(std::endian::native == std::endian::little, "the file's integers are little-endian");
  const auto length = static_cast<std::uint32_t>(text.size());
  std::string bytes(kMagic);
  bytes.append(reinterpret_cast<const char*>(&length), sizeof length);
  bytes += text;
  bytes.resize((bytes.size() + kRecordsAlignment - 1) / kRecordsAlignment * kRecordsAlignment, '\0');
  return bytes;
}

}  // namespace

TraceFile::TraceFile(const std::string& path, const Symbols& program, const HandlerRegistry& registry, unsigned threads)
    : path_(path), owner_(getpid()), fd_(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  if (fd_ < 0) throw UserError(path + ": " + errno_text() + ": name a file that can be written with --trace");
  const std::vector<const Handler*> handlers = registry.handlers();
  named_handlers_ = static_cast<std::uint32_t>(handlers.size());
  const std::string header = header_bytes(program, handlers, threads);
  if (!write_all(header.data(), header.size())) {
    throw UserError(path + ": cannot be written: name a file on a disk with space with --trace");
  }
}

TraceFile::~TraceFile() {
  if (fd_ >= 0) close(fd_);
}

void TraceFile::append(std::span<const schemas::TraceRecord> records) {
  if (getpid() != owner_) return;
  const std::lock_guard lock(mutex_);
  if (fd_ >= 0 && !write_all(records.data(), records.size_bytes())) {
    std::fprintf(stderr, "heddle: %s: %s: the trace ends here, the program goes on\n", path_.c_str(),
                 errno_text().c_str());
  }
}

// Closes the file and returns false if it cannot be written.
bool TraceFile::write_all(const void* bytes, std::size_t count) {
  const auto* at = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t written = write(fd_, at, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int error = errno;
      close(fd_);
      fd_ = -1;
      errno = error;
      return false;
    }
    at += written;
    count -= static_cast<std::size_t>(written);
  }
  return true;
}

void TraceBuffer::add(const scheduler::Invocation& x, const Ended& ended) {
  const auto named = [this](std::uint32_t handler) {
    return handler < file_.named_handlers() ? handler : schemas::TraceRecord::kNone;
  };
  const unsigned unknown = x.klass == scheduler::kUnknownClass ? schemas::TraceRecord::kUnknownHandler : 0;
  const unsigned late = ended.got_to_late_point ? schemas::TraceRecord::kGotToLatePoint : 0;
  constexpr base::Nanoseconds kMostLate_us = 0xffffffff;
  records_.push_back({.ready_ns = static_cast<std::uint64_t>(x.ready_ns),
                      .start_ns = static_cast<std::uint64_t>(x.start_ns),
                      .end_ns = static_cast<std::uint64_t>(ended.at_ns),
                      .cpu_ns = static_cast<std::uint64_t>(ended.cpu_ns),
                      .session = x.session,
                      .sequence = x.sequence,
                      .handler = named(x.handler),
                      .waited_for = named(x.held_by),
                      .late_us = static_cast<std::uint32_t>(std::min(ended.waited_late_ns / 1000, kMostLate_us)),
                      .thread = static_cast<std::uint16_t>(ended.thread),
                      .what = static_cast<std::uint8_t>(ended.what),
                      .flags = static_cast<std::uint8_t>(unknown | late)});
  if (records_.size() == kRecords) flush();
}

void TraceBuffer::flush() {
  if (records_.empty()) return;
  file_.append(records_);
  records_.clear();
}

}  // namespace heddle::multivent::stats
