#include "threadlab/data/canvas.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "threadlab/data/digest.hpp"

namespace heddle::threadlab {
namespace {

constexpr std::uint32_t kWhite = 0xffffffff;
constexpr std::uint32_t kMostSide = 32767;  // Cairo's limit

Rectangle clipped(const Canvas& canvas, Rectangle at) {
  at.x = std::min(at.x, canvas.width());
  at.y = std::min(at.y, canvas.height());
  at.width = std::min(at.width, canvas.width() - at.x);
  at.height = std::min(at.height, canvas.height() - at.y);
  return at;
}

std::string region_name(const Canvas& canvas, const Rectangle& at) {
  return canvas.name() + "[" + std::to_string(at.x) + "," + std::to_string(at.y) + " " + std::to_string(at.width) +
         "x" + std::to_string(at.height) + "]";
}

using SurfacePointer = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
using ContextPointer = std::unique_ptr<cairo_t, decltype(&cairo_destroy)>;

cairo_surface_t* surface_over(std::uint32_t* pixels, std::uint32_t width, std::uint32_t height, std::uint32_t stride) {
  return cairo_image_surface_create_for_data(reinterpret_cast<unsigned char*>(pixels), CAIRO_FORMAT_RGB24,
                                             static_cast<int>(width), static_cast<int>(height),
                                             static_cast<int>(stride * sizeof(std::uint32_t)));
}

}  // namespace

Canvas::Canvas(std::string name, std::uint32_t width, std::uint32_t height)
    : Data(std::move(name)), width_(width), height_(height) {
  const std::size_t count = std::size_t{width} * height;
  if (count == 0 || count > kMostPixels || std::max(width, height) > kMostSide)
    throw std::invalid_argument("a canvas has from 1x1 to 100 million pixels, and sides of at most 32767");
  pixels_.assign(count, kWhite);
}

std::string Canvas::digest() const {
  Digest digest;
  const std::array<std::uint32_t, 2> size{width_, height_};
  digest.add(size.data(), sizeof size);
  digest.add(pixels_.data(), pixels_.size() * sizeof(std::uint32_t));
  return digest.hex();
}

std::string Canvas::png() const {
  // Cairo only reads them.
  auto* const pixels = const_cast<std::uint32_t*>(pixels_.data());
  const SurfacePointer surface(surface_over(pixels, width_, height_, width_), &cairo_surface_destroy);
  std::string bytes;
  const auto append = [](void* to, const unsigned char* data, unsigned count) {
    static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(data), count);
    return CAIRO_STATUS_SUCCESS;
  };
  if (cairo_surface_write_to_png_stream(surface.get(), append, &bytes) != CAIRO_STATUS_SUCCESS)
    throw std::runtime_error("the canvas cannot be written as PNG");
  return bytes;
}

Region::Region(std::shared_ptr<Canvas> canvas, Rectangle at)
    : Data(region_name(*canvas, clipped(*canvas, at))), canvas_(std::move(canvas)), at_(clipped(*canvas_, at)) {
  if (at_.width == 0 || at_.height == 0) return;
  std::uint32_t* const first = canvas_->pixels() + std::size_t{at_.y} * canvas_->width() + at_.x;
  surface_.reset(surface_over(first, at_.width, at_.height, canvas_->width()));
}

bool Region::overlaps(const Data& other) const {
  const auto* const region = dynamic_cast<const Region*>(&other);
  if (region == nullptr || region->canvas_ != canvas_) return false;
  const Rectangle& b = region->at_;
  return at_.x < b.x + b.width && b.x < at_.x + at_.width && at_.y < b.y + b.height && b.y < at_.y + at_.height;
}

void Region::paint(const std::uint32_t* rows, std::uint32_t width, std::uint32_t height, std::uint32_t x,
                   std::uint32_t y) {
  if (!surface_ || width == 0 || height == 0) return;
  // Cairo only reads the rows.
  const SurfacePointer source(surface_over(const_cast<std::uint32_t*>(rows), width, height, width),
                              &cairo_surface_destroy);
  const ContextPointer context(cairo_create(surface_.get()), &cairo_destroy);
  cairo_set_operator(context.get(), CAIRO_OPERATOR_SOURCE);
  cairo_set_source_surface(context.get(), source.get(), x, y);
  cairo_pattern_set_filter(cairo_get_source(context.get()), CAIRO_FILTER_NEAREST);
  cairo_rectangle(context.get(), x, y, width, height);
  cairo_fill(context.get());
}

}  // namespace heddle::threadlab
