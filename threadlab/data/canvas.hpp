// What is painted on, without a screen, and the rectangles of it that commands write.
//
// A rectangle has a Cairo surface of its own over the canvas's pixels. So commands that paint apart from each other
// share nothing and need no lock; those whose rectangles overlap run in the order in which they were declared, which
// makes the picture the same under every model.
#pragma once

#include <cairo/cairo.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "threadlab/data/data.hpp"

namespace heddle::threadlab {

struct Rectangle {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
};

class Canvas : public Data {
 public:
  // White. std::invalid_argument if it has no pixels, or more than kMostPixels.
  Canvas(std::string name, std::uint32_t width, std::uint32_t height);

  static constexpr std::size_t kMostPixels = 100'000'000;
  std::uint32_t width() const { return width_; }
  std::uint32_t height() const { return height_; }
  std::uint32_t* pixels() { return pixels_.data(); }
  bool commutes() const override { return true; }
  // Of size and pixels, 64 digits. When no command runs, as png().
  std::string digest() const;
  std::string png() const;

 private:
  const std::uint32_t width_;
  const std::uint32_t height_;
  std::vector<std::uint32_t> pixels_;
};

class Region : public Data {
 public:
  // Cut off at the canvas's edges.
  Region(std::shared_ptr<Canvas> canvas, Rectangle at);

  const Rectangle& at() const { return at_; }
  const std::shared_ptr<Canvas>& canvas() const { return canvas_; }
  bool is_area() const override { return true; }
  bool overlaps(const Data& other) const override;
  bool commutes() const override { return true; }

  // Paints rows of 0xffRRGGBB, `width` pixels each, at (x, y) of this rectangle.
  void paint(const std::uint32_t* rows, std::uint32_t width, std::uint32_t height, std::uint32_t x, std::uint32_t y);

 private:
  struct Free {
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  };
  const std::shared_ptr<Canvas> canvas_;
  const Rectangle at_;
  std::unique_ptr<cairo_surface_t, Free> surface_;  // null if the rectangle is empty
};

}  // namespace heddle::threadlab
