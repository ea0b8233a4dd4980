// The results of a crawl: one JSON text per line (https://jsonlines.org), one line per URL, in the order in which they
// became known. Other programs read them while the crawl runs, so every line reaches the file at once and whole.
//
// A crawl that was killed may leave half a line at the end; whoever resumes it cuts that, and reads which URLs the file
// has beyond those that the frontier knows to be done (resume()).
//
// Used by one kernel thread at a time. write() waits for the file only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "crawler/archive/append_file.hpp"

namespace heddle::crawler {

// One URL that was asked for, or refused. What is not known is null in the line.
struct Record {
  std::string_view url{};
  int status = 0;                           // of HTTP; 0 without an answer
  std::optional<std::string_view> error{};  // a name: dns connect tls timeout reset protocol too_large ...
  std::uint32_t depth = 0;
  std::optional<std::string_view> referrer{};
  std::optional<std::string_view> type{};      // media type, without parameters
  std::uint64_t bytes = 0;                     // of the decoded body
  std::optional<std::string_view> sha256{};    // of the decoded body, in lower-case hexadecimal digits
  std::optional<std::string_view> redirect{};  // target
  std::uint64_t links = 0;                     // distinct targets found
  std::uint32_t attempts = 0;
  double ms = 0;  // from the start of the last attempt to its end
};

// The line, with its line feed. Bytes that are not UTF-8 become U+FFFD; a time that is no number becomes null.
std::string json_line(const Record& record);

// The URL of a line that json_line() made; nothing for a text that is not such a line.
std::optional<std::string> url_of_line(std::string_view line);

class ResultsFile {
 public:
  // Opens the file to append to it, or standard output for "-". Throws base::UserError.
  explicit ResultsFile(const std::filesystem::path& path) : file_(path) {}

  // Begins anew: forgets what the file has. Does nothing for a pipe.
  void clear();

  // Call it before the first write(): cuts the last line if it is the beginning of one of ours, then calls `known` with
  // the URL of every line that begins at byte `from` or later; of every line, if the file is shorter than that, for
  // then it is another one. Does nothing for a pipe.
  void resume(std::uint64_t from, const std::function<void(std::string_view url)>& known);

  // Appends one line. Throws base::UserError if the file takes no more.
  void write(const Record& record) { write(json_line(record)); }
  // The same, of a line that json_line() has made.
  void write(std::string_view line) { file_.write(line); }

  // Length of the file, which is what Written::results_bytes wants; 0 for a pipe.
  std::uint64_t bytes() const { return file_.bytes(); }

 private:
  void mend_last_line();

  AppendFile file_;
};

}  // namespace heddle::crawler
