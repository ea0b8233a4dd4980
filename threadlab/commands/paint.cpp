#include "threadlab/commands/paint.hpp"

#include <algorithm>
#include <utility>

namespace heddle::threadlab {

PaintImage::PaintImage(std::string name, std::shared_ptr<Image> image, std::shared_ptr<Region> onto, Scale scale)
    : Command("paint_image", std::move(name), {image}, {onto}),
      image_(std::move(image)),
      onto_(std::move(onto)),
      scale_(scale) {}

void PaintImage::choose_size(const Image::Extent& extent) {
  const Rectangle& at = onto_->at();
  if (scale_ == Scale::kNot) {
    width_ = std::min(extent.width, at.width);
    height_ = std::min(extent.height, at.height);
    return;
  }
  const std::uint64_t by_height = std::uint64_t{extent.width} * at.height / extent.height;
  if (by_height <= at.width) {
    width_ = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(by_height));
    height_ = at.height;
  } else {
    width_ = at.width;
    height_ =
        std::max<std::uint32_t>(1, static_cast<std::uint32_t>(std::uint64_t{extent.height} * at.width / extent.width));
  }
}

Step PaintImage::part(Context& context) {
  const std::uint64_t version = image_->version();
  const bool closed = image_->closed();
  const Image::Extent extent = image_->extent(context.locks());
  if (onto_->at().width == 0 || onto_->at().height == 0) return Step::done();
  if (width_ == 0 && extent.width > 0) choose_size(extent);
  const auto source = [](std::uint32_t at, std::uint32_t of, std::uint32_t all) {
    return static_cast<std::uint32_t>(std::uint64_t{at} * all / of);
  };
  const std::uint32_t source_width = scale_ == Scale::kNot ? width_ : extent.width;
  const std::uint32_t source_height = scale_ == Scale::kNot ? height_ : extent.height;
  std::uint32_t count = 0;
  band_.resize(std::size_t{width_} * kRowsPerPart);
  while (count < kRowsPerPart && painted_ + count < height_) {
    const std::uint32_t row = source(painted_ + count, height_, source_height);
    if (row >= extent.rows) break;
    const auto pixels = image_->row(row, extent);
    for (std::uint32_t x = 0; x < width_; ++x)
      band_[std::size_t{count} * width_ + x] = pixels[source(x, width_, source_width)];
    ++count;
  }
  if (count > 0) {
    {
      const Guard guard(*onto_, context.locks());
      onto_->paint(band_.data(), width_, count, 0, painted_);
    }
    painted_ += count;
    if (painted_ < height_) return Step::ready();
  }
  if (image_->failed() && closed) return Step::done("no_input: " + image_->failure());
  if (closed || (height_ > 0 && painted_ == height_)) return Step::done();
  return Step::more(*image_, version);
}

}  // namespace heddle::threadlab
