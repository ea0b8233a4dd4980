// What decoders undo, for tests.
#pragma once

#include <brotli/encode.h>
#include <zlib.h>
#include <zstd.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace heddle::crawler::testing {

inline std::string zlib_encoded(std::string_view text, int window) {
  z_stream stream{};
  if (deflateInit2(&stream, 6, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  std::string encoded(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(encoded.data());
  stream.avail_out = static_cast<uInt>(encoded.size());
  const int result = deflate(&stream, Z_FINISH);
  encoded.resize(stream.total_out);
  deflateEnd(&stream);
  if (result != Z_STREAM_END) throw std::logic_error("deflate() has not ended");
  return encoded;
}
inline std::string gzip(std::string_view text) { return zlib_encoded(text, 15 + 16); }
inline std::string deflate_zlib(std::string_view text) { return zlib_encoded(text, 15); }
inline std::string deflate_raw(std::string_view text) { return zlib_encoded(text, -15); }

inline std::string brotli(std::string_view text) {
  std::size_t size = BrotliEncoderMaxCompressedSize(text.size()) + 64;
  std::string encoded(size, '\0');
  if (BrotliEncoderCompress(5, 22, BROTLI_MODE_GENERIC, text.size(), reinterpret_cast<const std::uint8_t*>(text.data()),
                            &size, reinterpret_cast<std::uint8_t*>(encoded.data())) != BROTLI_TRUE)
    throw std::logic_error("brotli");
  encoded.resize(size);
  return encoded;
}

inline std::string zstd(std::string_view text) {
  std::string encoded(ZSTD_compressBound(text.size()), '\0');
  encoded.resize(ZSTD_compress(encoded.data(), encoded.size(), text.data(), text.size(), 3));
  return encoded;
}

}  // namespace heddle::crawler::testing
