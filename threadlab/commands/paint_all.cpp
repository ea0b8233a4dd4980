#include "threadlab/commands/paint_all.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "threadlab/commands/decode_jpeg.hpp"
#include "threadlab/commands/paint.hpp"

namespace heddle::threadlab {

PaintAllImages::PaintAllImages(std::string name, std::shared_ptr<Tree> tree, std::shared_ptr<Region> onto,
                               std::string url, LoadUrl::Limits limits)
    : Command("paint_all_images", std::move(name), {tree}, {onto}),
      tree_(std::move(tree)),
      onto_(std::move(onto)),
      url_(std::move(url)),
      limits_(limits) {}

Rectangle PaintAllImages::cell(std::size_t index) const {
  const Rectangle& at = onto_->at();
  const std::size_t lines = (images_.size() + columns_ - 1) / columns_;
  const auto edge = [](std::uint32_t side, std::size_t number, std::size_t count) {
    return static_cast<std::uint32_t>(std::uint64_t{side} * number / count);
  };
  const std::size_t column = index % columns_;
  const std::size_t line = index / columns_;
  const std::uint32_t x = edge(at.width, column, columns_);
  const std::uint32_t y = edge(at.height, line, lines);
  return {at.x + x, at.y + y, edge(at.width, column + 1, columns_) - x, edge(at.height, line + 1, lines) - y};
}

void PaintAllImages::add(Context& context, std::size_t index) {
  const std::string prefix = name() + "/" + std::to_string(index);
  auto bytes = std::make_shared<Memory>(prefix + " bytes");
  auto image = std::make_shared<Image>(prefix + " image");
  auto region = std::make_shared<Region>(onto_->canvas(), cell(index));
  context.spawn(std::make_unique<LoadUrl>(prefix + " load", images_[index], bytes, limits_));
  context.spawn(std::make_unique<DecodeJpeg>(prefix + " decode", bytes, image));
  context.spawn(std::make_unique<PaintImage>(prefix + " paint", image, region, PaintImage::Scale::kFit));
}

Step PaintAllImages::part(Context& context) {
  if (!looked_) {
    const std::uint64_t version = tree_->version();
    if (!tree_->closed()) return Step::more(*tree_, version);
    if (tree_->failed()) return Step::done("no_input: " + tree_->failure());
    images_ = tree_->images(url_);
    looked_ = true;
    const Rectangle& at = onto_->at();
    const double ratio = at.height > 0 ? static_cast<double>(at.width) / at.height : 1.0;
    columns_ = std::clamp<std::size_t>(
        static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(images_.size()) * ratio))), 1,
        std::max<std::size_t>(images_.size(), 1));
    if (images_.size() > kMostImages) return Step::done("too_large: more than 4096 images");
    return Step::ready();
  }
  const std::size_t until = std::min(added_ + kImagesPerPart, images_.size());
  for (; added_ < until; ++added_) add(context, added_);
  return added_ < images_.size() ? Step::ready() : Step::done();
}

}  // namespace heddle::threadlab
