// A file that is only appended to, and that a killed writer may have left with half a record at its end.
//
// Writes go to the file at once and whole: what write() returned for is in the file even if the process is killed next.
// After a write that failed in its middle, the file is cut to what it was, where it can be.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace heddle::crawler {

class AppendFile {
 public:
  // Opens or makes the file; "-" is standard output. Throws base::UserError.
  explicit AppendFile(const std::filesystem::path& path);
  AppendFile(AppendFile&&) = delete;
  ~AppendFile();

  void write(std::string_view bytes) { write(std::span(&bytes, 1)); }
  // The pieces one behind the other. Both throw base::UserError if the file takes no more.
  void write(std::span<const std::string_view> pieces);
  // Reads up to `most` bytes; fewer at the end of the file only.
  std::string read(std::uint64_t from, std::size_t most) const;
  void cut(std::uint64_t bytes);

  // False for a pipe or a terminal: what was written cannot be read back, or cut.
  bool regular() const { return regular_; }
  std::uint64_t bytes() const { return bytes_; }
  const std::string& name() const { return name_; }

 private:
  [[noreturn]] void fail(const std::string& what) const;

  std::string name_;
  int fd_ = -1;
  bool own_ = false;
  bool regular_ = false;
  std::uint64_t bytes_ = 0;  // of a regular file
};

}  // namespace heddle::crawler
