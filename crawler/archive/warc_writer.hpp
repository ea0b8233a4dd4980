// Writes a WARC file: what was asked and what came back, byte for byte, in the format of web archives.
//
// WARC 1.1 (ISO 28500:2017; iipc.github.io/warc-specifications). Every record is one gzip member, as annex D says, so
// that readers can start at any record; in a file whose name ends in .warc, and not in .warc.gz, records are as they
// are. An exchange is a response and its request; where the same body was archived before, a revisit record
// (section 6.7, profile identical-payload-digest) takes the place of the response, with the answer's head only. The
// writer remembers some thousand bodies, not all: a body that it has forgotten is stored again.
//
// The archive holds bodies as they came, with their content coding. A transfer coding cannot be kept, for the client
// undoes it while it reads: its header field gets the prefix "X-Archive-Orig-", as other crawlers have it, for
// with the field a reader would look for chunks.
//
// A file that is there is appended to: the writer checks that it is a WARC file and cuts a record that was not written
// to its end. Used by one kernel thread at a time. A call compresses its records (some 4 ns per byte), unless they are
// written as they are, and writes them; it needs 24 KB of stack.
//
// Digests are SHA-256, in the digits that results have: WARC leaves the choice (section 5.8), and a body that is stored
// as it was sent needs no other one for its record. Crawlers that run in browsers write the same. A response has that
// of its payload, by which revisits refer to it, and none of its block: one more digest would take a third as long as
// all else that is done with a large page. Other records have that of their block.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "crawler/archive/append_file.hpp"
#include "crawler/archive/digest.hpp"
#include "crawler/archive/gzip.hpp"
#include "crawler/archive/warc_record.hpp"

namespace heddle::crawler {

struct Exchange {
  std::string_view url;
  std::chrono::system_clock::time_point when;  // the request went out
  std::string_view address;                    // of the server, as a number; empty if it is not known
  std::string_view request;                    // head and body, as sent
  std::string_view head;                       // of the answer, from the status line to the empty line, as received
  std::string_view body;                       // content coding kept, transfer coding undone
  std::string_view truncated;                  // why the body is not whole: length, time, disconnect; else empty
};

// What takes longest about an exchange. It needs nothing of the archive, so any thread may do it beforehand.
struct ArchivedAnswer {
  explicit ArchivedAnswer(const Exchange& exchange);

  std::string head;  // as it is stored
  Sha256 digest;     // of the body
};

class WarcWriter {
 public:
  // `software` is for the file's warcinfo record, such as "heddle/1.0". `from` is a byte at which a record begins, all
  // before which is known to be good (Written::archive_bytes). A file that has gzip members gets more of
  // them, whatever its name. Throws base::UserError if something else than WARC records in the file's form is behind
  // that byte, and for "-" if standard output cannot be written.
  WarcWriter(const std::filesystem::path& path, std::string_view software, std::uint64_t from = 0);

  // Appends the records of one exchange. Throws base::UserError if the file takes no more.
  void write(const Exchange& exchange, const ArchivedAnswer& answer);
  void write(const Exchange& exchange) { write(exchange, ArchivedAnswer(exchange)); }

  std::uint64_t bytes() const { return file_.bytes(); }  // what Written::archive_bytes wants

 private:
  // Where a body is in the archive.
  struct Body {
    Sha256 digest{};
    std::string record;  // its id; empty: no body
    std::string url;
    std::string date;
  };
  static constexpr std::size_t kBodies = 8192;

  // A piece of a record, of which there are two at most: head and body of an answer.
  struct Block {
    std::string_view first;
    std::string_view second{};
  };

  std::string new_id();
  Body& remembered(const Sha256& digest);
  // Adds a record to what is to be written, until when its block must last; the fields are lines.
  void add(std::string_view type, std::string_view id, std::string_view date, const std::string& fields, Block block);
  void write_pending();

  AppendFile file_;
  WarcForm form_ = WarcForm::kCompressed;
  GzipCompressor compressor_;
  // What is to be written: pieces of texts that lie elsewhere, such as in one of the others.
  std::vector<std::string_view> pending_;
  std::deque<std::string> heads_;
  std::string members_;
  std::array<unsigned char, 1024> random_{};
  std::size_t random_left_ = 0;
  std::string warcinfo_;  // its id
  std::vector<Body> bodies_{kBodies};
};

}  // namespace heddle::crawler
