// A picture that is decoded from the top, row by row, and that may be painted as far as it has got.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "threadlab/data/data.hpp"
#include "threadlab/data/digest.hpp"

namespace heddle::threadlab {

class Image : public Data {
 public:
  using Pixel = std::uint32_t;  // 0xffRRGGBB, as Cairo's RGB24
  using Data::Data;

  // How much there is. Width and height are 0 until the writer knows them.
  struct Extent {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint32_t rows = 0;
  };
  Extent extent(bool locks) {
    const Guard guard(*this, locks);
    return extent_;
  }

  // By the writer, once, before the first row.
  void set_size(std::uint32_t width, std::uint32_t height, bool locks) {
    {
      const Guard guard(*this, locks);
      pixels_.resize(std::size_t{width} * height);  // rows do not move from here on
      extent_ = {width, height, 0};
    }
    changed();
  }
  // By the writer: the row that is the next to be filled. Nobody reads it yet.
  std::span<Pixel> next_row(std::uint32_t row) { return {&pixels_[std::size_t{row} * extent_.width], extent_.width}; }
  void set_rows(std::uint32_t rows, bool locks) {
    {
      const Guard guard(*this, locks);
      extent_.rows = rows;
    }
    changed();
  }

  // A row below extent().rows, which does not change any more.
  std::span<const Pixel> row(std::uint32_t row, const Extent& known) const {
    return {&pixels_[std::size_t{row} * known.width], known.width};
  }

  std::string result() const override {
    Digest digest;
    digest.add(&extent_, sizeof extent_);
    digest.add(pixels_.data(), pixels_.size() * sizeof(Pixel));
    return quoted(digest.hex());
  }

 private:
  Extent extent_;
  std::vector<Pixel> pixels_;
};

}  // namespace heddle::threadlab
