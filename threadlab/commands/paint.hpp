// Paints an image as far as it is decoded.
//
// What is shrunk or enlarged takes the nearest row and column of the image, so a row of the picture depends on one row
// of the image, and the picture does not depend on how many rows there were at each look.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "threadlab/commands/command.hpp"
#include "threadlab/data/canvas.hpp"
#include "threadlab/data/image.hpp"

namespace heddle::threadlab {

class PaintImage : public Command {
 public:
  enum class Scale : std::uint8_t { kNot, kFit };  // kFit: as large as the region allows, in its proportions

  PaintImage(std::string name, std::shared_ptr<Image> image, std::shared_ptr<Region> onto, Scale scale);

  Step part(Context& context) override;

 private:
  static constexpr std::uint32_t kRowsPerPart = 64;

  void choose_size(const Image::Extent& extent);

  const std::shared_ptr<Image> image_;
  const std::shared_ptr<Region> onto_;
  const Scale scale_;
  std::uint32_t width_ = 0;  // of what is painted
  std::uint32_t height_ = 0;
  std::uint32_t painted_ = 0;  // rows
  std::vector<Image::Pixel> band_;
};

}  // namespace heddle::threadlab
