// Writes a trace file: one fixed record per finished invocation (schemas/trace.schema.json, schemas/trace_record.hpp).
//
// Each event base fills a TraceBuffer of its own under its own mutex; a full buffer is written by one write(), so
// records of several bases never mix within a record, and what was written before a crash can be read.
//
// TraceFile may be used from several threads. A write that fails (disk full) is reported once and ends the trace, not
// the program. A child that the program forks writes nothing: its records would mix with the parent's.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "multivent/core/handler_registry.hpp"
#include "multivent/core/symbols.hpp"
#include "scheduler/invocation.hpp"
#include "schemas/trace_record.hpp"

namespace heddle::multivent::stats {

class TraceFile {
 public:
  // Creates the file and writes its header. UserError if that fails.
  TraceFile(const std::string& path, const Symbols& program, const HandlerRegistry& registry, unsigned threads);
  ~TraceFile();

  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  void append(std::span<const schemas::TraceRecord> records);

  // Handlers from this index on are not in the header.
  std::uint32_t named_handlers() const { return named_handlers_; }

 private:
  bool write_all(const void* bytes, std::size_t count);

  const std::string path_;
  const pid_t owner_;
  std::uint32_t named_handlers_ = 0;
  std::mutex mutex_;  // guards fd_
  int fd_ = -1;       // -1 after an error
};

class TraceBuffer {
 public:
  explicit TraceBuffer(TraceFile& file) : file_(file) { records_.reserve(kRecords); }
  ~TraceBuffer() { flush(); }

  TraceBuffer(const TraceBuffer&) = delete;
  TraceBuffer& operator=(const TraceBuffer&) = delete;

  // What only a record has of an invocation that has ended.
  struct Ended {
    base::Nanoseconds at_ns = 0;
    base::Nanoseconds cpu_ns = 0;
    unsigned thread = 0;
    short what = 0;
    bool got_to_late_point = false;
    base::Nanoseconds waited_late_ns = 0;
  };
  void add(const scheduler::Invocation& x, const Ended& ended);
  void flush();

 private:
  static constexpr std::size_t kRecords = 1024;

  TraceFile& file_;
  std::vector<schemas::TraceRecord> records_;
};

}  // namespace heddle::multivent::stats
