// Writes a WARC file: what was asked and what came back, byte for byte, in the format of web archives.
//
// WARC 1.1 (ISO 28500:2017, https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/). Every
// record is one gzip member, as annex D asks for, so that readers can start at any record. An exchange is a request and
// its response; where the same body was archived before (identical payload digest), a revisit record takes the place of
// the response, with the answer's head only. The writer remembers the last kRemembered bodies, not all of them.
//
// The archive holds bodies as they came, with their content coding. A transfer coding cannot be kept, since the client
// undoes it while it reads: its header field gets the prefix "X-Archive-Orig-", as other crawlers do.
//
// A file that is there is appended to: the writer checks that it is a WARC file and cuts a record that was not written
// to its end. Used by one kernel thread at a time. A call compresses its records (about 20 ns per byte) and writes
// them.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace heddle::crawler {

struct Exchange {
  std::string_view url;
  std::chrono::system_clock::time_point when;  // the request went out
  std::string_view address;                    // of the server, as a number; empty if not known
  std::string_view request;                    // head and body, as sent
  std::string_view head;                       // of the answer, from the status line to the empty line, as received
  std::string_view body;                       // content coding kept, transfer coding undone
  std::string_view truncated;  // empty, or why the body is not whole: length, time, disconnect, unspecified
};

class WarcWriter {
 public:
  // `software` is for the file's warcinfo record, such as "heddle/1.0". `from`: a byte where a record begins that is
  // known to be good, at most; the file is checked from there. Throws base::UserError if it is damaged elsewhere than
  // at its end, or no WARC file with one gzip member per record.
  WarcWriter(const std::filesystem::path& path, std::string_view software, std::uint64_t from = 0);
  WarcWriter(WarcWriter&&) = delete;
  ~WarcWriter();

  // Appends the records of one exchange. Throws base::UserError if the file takes no more.
  void write(const Exchange& exchange);

  std::uint64_t bytes() const;  // length of the file

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heddle::crawler
