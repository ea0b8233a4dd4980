#include "elyze/oracle/runtime/trace_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>

namespace heddle::oracle {
namespace {

// Above the numbers that programs count on getting, such as 3 for the first file they open.
constexpr int kLowestDescriptor = 400;

void write_all(int descriptor, const void* data, std::size_t bytes) {
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t done = ::write(descriptor, at, bytes);
    if (done <= 0) return;  // a full disk leaves a trace that was cut short, which the reader says
    at += done;
    bytes -= static_cast<std::size_t>(done);
  }
}

}  // namespace

bool TraceFile::open(const char* path) {
  const int low = ::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (low < 0) return false;
  const int high = fcntl(low, F_DUPFD_CLOEXEC, kLowestDescriptor);
  if (high >= 0) ::close(low);
  descriptor_ = high >= 0 ? high : low;
  ++number_;
  end_ = {};
  write_all(descriptor_, schemas::kAccessMagic, sizeof schemas::kAccessMagic);
  return true;
}

void TraceFile::forget() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  finished_ = false;
  text_.used = objects_.used = invocations_.used = accesses_.used = 0;
}

void TraceFile::finish() {
  finished_ = true;
  if (descriptor_ < 0) return;
  flush();
  write_block(schemas::BlockKind::kEnd, &end_, sizeof end_);
  ::close(descriptor_);
  descriptor_ = -1;
}

void TraceFile::text(std::string_view line) { append(text_, line.data(), line.size()); }

void TraceFile::append(Buffer& buffer, const void* data, std::size_t bytes) {
  if (descriptor_ < 0 || bytes > buffer.content.size()) return;
  if (buffer.used + bytes > buffer.content.size()) flush();
  std::memcpy(buffer.content.data() + buffer.used, data, bytes);
  buffer.used += static_cast<std::uint32_t>(bytes);
}

void TraceFile::flush() {
  for (Buffer* buffer : {&text_, &objects_, &invocations_, &accesses_}) {
    if (buffer->used != 0) write_block(buffer->kind, buffer->content.data(), buffer->used);
    buffer->used = 0;
  }
}

void TraceFile::write_block(schemas::BlockKind kind, const void* data, std::uint32_t bytes) const {
  const schemas::BlockHeader header{kind, bytes};
  write_all(descriptor_, &header, sizeof header);
  write_all(descriptor_, data, bytes);
}

}  // namespace heddle::oracle
