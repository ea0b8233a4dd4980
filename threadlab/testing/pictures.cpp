#include "threadlab/testing/pictures.hpp"

#include <cstdio>
#include <cstdlib>
// libjpeg's header needs the two above.
#include <jpeglib.h>

#include <random>
#include <vector>

namespace heddle::threadlab {

std::string make_jpeg(std::uint32_t seed, std::uint32_t width, std::uint32_t height, bool progressive) {
  jpeg_compress_struct info{};
  jpeg_error_mgr errors{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&info, &bytes, &size);
  info.image_width = width;
  info.image_height = height;
  info.input_components = 3;
  info.in_color_space = JCS_RGB;
  jpeg_set_defaults(&info);
  if (progressive) jpeg_simple_progression(&info);
  jpeg_start_compress(&info, TRUE);
  std::mt19937 random(seed);
  std::vector<JSAMPLE> row(std::size_t{width} * 3);
  while (info.next_scanline < height) {
    for (std::size_t i = 0; i < row.size(); ++i)
      row[i] = static_cast<JSAMPLE>(seed * 40 + info.next_scanline * 3 + i + random() % 16);
    JSAMPROW line = row.data();
    jpeg_write_scanlines(&info, &line, 1);
  }
  jpeg_finish_compress(&info);
  std::string made(reinterpret_cast<char*>(bytes), size);
  jpeg_destroy_compress(&info);
  std::free(bytes);
  return made;
}

}  // namespace heddle::threadlab
