// Writes a trace file: one fixed record per finished invocation (schemas/trace.schema.json, schemas/trace_record.hpp).
//
// Each event base fills a TraceBuffer of its own under its own mutex; a full buffer is written by one write(), so
// records of several bases never mix within a record, and what was written before a crash can be read.
//
// TraceFile may be used from several threads. A write that fails (disk full) is reported once and ends the trace, not
// the program. So is a file that the program has closed, with all its descriptors, opened again. A child that the
// program forks writes nothing: its records would mix with the parent's, unless it is the
// one that runs the loop and takes over.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "schemas/trace_record.hpp"
#include "telemetry/program.hpp"
#include "telemetry/traced_call.hpp"

namespace heddle::telemetry {

class TraceFile {
 public:
  // Creates the file and writes its header, which names `handlers` by number. UserError if that fails.
  TraceFile(const std::string& path, const Program& program, std::span<const HandlerName> handlers, unsigned threads);
  ~TraceFile();

  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  // By the process that runs the loop, where the one that made this has not. It may have closed all descriptors.
  void take_over();

  void append(std::span<const schemas::TraceRecord> records);

  // Handlers from this number on are not in the header.
  std::uint32_t named_handlers() const { return named_handlers_; }

 private:
  bool write_all(const void* bytes, std::size_t count);
  // Whether fd_ is of the file still: the program may have closed it, and opened a file of its own under its number.
  bool is_open() const;
  void open_again();
  void note_file();

  const std::string path_;
  pid_t owner_;  // changes before records are written
  std::uint32_t named_handlers_ = 0;
  std::mutex mutex_;  // guards the rest
  int fd_ = -1;       // -1 after an error
  dev_t device_ = 0;  // of the file
  ino_t file_ = 0;
};

class TraceBuffer {
 public:
  explicit TraceBuffer(TraceFile& file) : file_(file) { records_.reserve(kRecords); }
  ~TraceBuffer() { flush(); }

  TraceBuffer(const TraceBuffer&) = delete;
  TraceBuffer& operator=(const TraceBuffer&) = delete;

  void add(const TracedCall& call);
  void flush();

 private:
  static constexpr std::size_t kRecords = 1024;

  TraceFile& file_;
  std::vector<schemas::TraceRecord> records_;
};

}  // namespace heddle::telemetry
