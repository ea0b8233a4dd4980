// The trace on disk: blocks of records behind each other, as schemas/access_record.hpp draws them.
//
// Memory is bounded: a block is written when it is full. The end can be written from a signal handler, for nothing here
// allocates once the file is open.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "schemas/access_record.hpp"

namespace heddle::oracle {

class TraceFile {
 public:
  bool is_open() const { return descriptor_ >= 0; }
  // 0 before the first file; the numbers of different files differ.
  std::uint32_t number() const { return number_; }
  // True from finish() on: a thread that is still at work while the process ends must not write a second trace over
  // the first.
  bool is_finished() const { return finished_; }
  // False if the file can't be made; errno says why.
  bool open(const char* path);
  // The file is the parent's: this process, a child, writes to it no more, and may open one of its own.
  void forget();
  void finish();

  void text(std::string_view line);
  void add(const schemas::ObjectRecord& record) { append(objects_, &record, sizeof record), ++end_.objects; }
  void add(const schemas::InvocationRecord& record) {
    append(invocations_, &record, sizeof record), ++end_.invocations;
  }
  void add(const schemas::AccessRecord& record) { append(accesses_, &record, sizeof record), ++end_.accesses; }

 private:
  struct Buffer {
    schemas::BlockKind kind;
    std::uint32_t used;
    std::array<char, 65536> content;
  };
  void append(Buffer& buffer, const void* data, std::size_t bytes);
  // Writes all buffers in the order of their kinds, so that a description stands before what refers to it.
  void flush();
  void write_block(schemas::BlockKind kind, const void* data, std::uint32_t bytes) const;

  int descriptor_ = -1;
  bool finished_ = false;
  std::uint32_t number_ = 0;
  schemas::EndRecord end_{};
  Buffer text_{schemas::BlockKind::kText, 0, {}};
  Buffer objects_{schemas::BlockKind::kObjects, 0, {}};
  Buffer invocations_{schemas::BlockKind::kInvocations, 0, {}};
  Buffer accesses_{schemas::BlockKind::kAccesses, 0, {}};
};

}  // namespace heddle::oracle
