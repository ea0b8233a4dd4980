#include "telemetry/trace_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/unsignalled.hpp"
#include "base/user_error.hpp"
#include "schemas/agreements.hpp"
#include "schemas/documents.hpp"
#include "telemetry/say.hpp"

namespace heddle::telemetry {
namespace {

// Where the program has no standard output, what it prints must not go into our file.
int above_standard(int fd) {
  if (fd < 0 || fd > STDERR_FILENO) return fd;
  const int higher = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int error = errno;
  close(fd);
  errno = error;
  return higher;
}

std::string header_bytes(const Program& program, std::span<const HandlerName> handlers, unsigned threads) {
  nlohmann::ordered_json header = {{"schema", schemas::kTraceDocument.name},
                                   {"version", schemas::kTraceDocument.version},
                                   {"tool", {{"name", schemas::tools::kRuntime}, {"version", HEDDLE_VERSION}}},
                                   {"program", {{"name", program.name}, {"build_id", program.build_id}}},
                                   {"clock", schemas::trace_header::kClock},
                                   {"record_bytes", sizeof(schemas::TraceRecord)},
                                   {"threads", threads},
                                   {"handlers", nlohmann::ordered_json::array()}};
  for (const HandlerName& handler : handlers) header["handlers"].push_back(handler.name);
  const std::string text = header.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);

  static_assert(std::endian::native == std::endian::little, "the file's integers are little-endian");
  schemas::TraceStart start{.magic = {}, .header_bytes = static_cast<std::uint32_t>(text.size())};
  std::copy(std::begin(schemas::kTraceMagic), std::end(schemas::kTraceMagic), start.magic);
  std::string bytes(reinterpret_cast<const char*>(&start), sizeof start);
  bytes += text;
  constexpr std::size_t kUnit = schemas::kTraceAlignment;
  bytes.resize((bytes.size() + kUnit - 1) / kUnit * kUnit, '\0');
  return bytes;
}

}  // namespace

TraceFile::TraceFile(const std::string& path, const Program& program, std::span<const HandlerName> handlers,
                     unsigned threads)
    : path_(path),
      owner_(getpid()),
      fd_(above_standard(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666))) {
  if (fd_ < 0)
    throw base::UserError(path + ": " + base::errno_text() + ": name a file that can be written with --trace");
  note_file();
  named_handlers_ = static_cast<std::uint32_t>(handlers.size());
  const std::string header = header_bytes(program, handlers, threads);
  if (!write_all(header.data(), header.size())) {
    throw base::UserError(path + ": cannot be written: name a file on a disk with space with --trace");
  }
}

TraceFile::~TraceFile() {
  if (is_open()) close(fd_);
}

void TraceFile::note_file() {
  struct stat found{};
  if (fd_ < 0 || fstat(fd_, &found) != 0) return;
  device_ = found.st_dev;
  file_ = found.st_ino;
}

bool TraceFile::is_open() const {
  struct stat found{};
  return fd_ >= 0 && fstat(fd_, &found) == 0 && found.st_dev == device_ && found.st_ino == file_;
}

void TraceFile::open_again() {
  fd_ = above_standard(open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  note_file();
}

void TraceFile::take_over() {
  if (getpid() == owner_) return;
  const std::lock_guard lock(mutex_);
  owner_ = getpid();
  open_again();
}

void TraceFile::append(std::span<const schemas::TraceRecord> records) {
  if (getpid() != owner_) return;
  const std::lock_guard lock(mutex_);
  if (fd_ < 0) return;
  if (!is_open()) open_again();
  if (fd_ < 0 || !write_all(records.data(), records.size_bytes()))
    say("heddle: " + path_ + ": " + base::errno_text() + ": the trace ends here, the program goes on\n");
}

// Closes the file and returns false if it cannot be written.
bool TraceFile::write_all(const void* bytes, std::size_t count) {
  const base::Unsignalled unsignalled;
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

void TraceBuffer::add(const TracedCall& call) {
  const auto named = [this](std::uint32_t handler) {
    return handler < file_.named_handlers() ? handler : schemas::TraceRecord::kNone;
  };
  const unsigned unknown = call.in_constraints ? 0 : schemas::TraceRecord::kUnknownHandler;
  const unsigned late = call.got_to_late_point ? schemas::TraceRecord::kGotToLatePoint : 0;
  constexpr base::Nanoseconds kMostLate_us = std::numeric_limits<decltype(schemas::TraceRecord::late_us)>::max();
  records_.push_back({.ready_ns = static_cast<std::uint64_t>(call.ready_ns),
                      .start_ns = static_cast<std::uint64_t>(call.start_ns),
                      .end_ns = static_cast<std::uint64_t>(call.end_ns),
                      .cpu_ns = static_cast<std::uint64_t>(call.cpu_ns),
                      .session = call.session,
                      .sequence = call.sequence,
                      .handler = named(call.handler),
                      .waited_for = named(call.held_by),
                      .late_us = static_cast<std::uint32_t>(std::min(call.waited_late_ns / 1000, kMostLate_us)),
                      .thread = static_cast<std::uint16_t>(call.thread),
                      .what = static_cast<std::uint8_t>(call.what),
                      .flags = static_cast<std::uint8_t>(unknown | late)});
  if (records_.size() == kRecords) flush();
}

void TraceBuffer::flush() {
  if (records_.empty()) return;
  file_.append(records_);
  records_.clear();
}

}  // namespace heddle::telemetry
