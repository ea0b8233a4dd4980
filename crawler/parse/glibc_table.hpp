// glibc's character tables, looked up once per process: what does a short byte sequence mean on its own?
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace heddle::crawler {

// iconv from one charset of glibc, one sequence at a time, always from its first state.
class GlibcCharset {
 public:
  // Throws std::runtime_error if glibc has no such charset.
  explicit GlibcCharset(const char* name);
  ~GlibcCharset();
  GlibcCharset(const GlibcCharset&) = delete;
  GlibcCharset& operator=(const GlibcCharset&) = delete;

  // The characters that the whole sequence stands for; empty if it is not valid.
  std::u32string characters(std::string_view sequence);

 private:
  void* descriptor_;
};

// What the bytes 0x80 to 0xFF mean in a single-byte encoding, an entry of kEncodings.
const std::array<char32_t, 128>& single_byte_table(std::size_t encoding_index);

}  // namespace heddle::crawler
