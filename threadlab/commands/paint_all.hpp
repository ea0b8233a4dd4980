// Loads, decodes and paints every image of a page: adds three commands for each.
//
// The images stand in a grid, in the order in which the page names them, so where one is painted does not depend on
// when it has come.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "threadlab/commands/command.hpp"
#include "threadlab/commands/load_url.hpp"
#include "threadlab/data/canvas.hpp"
#include "threadlab/data/tree.hpp"

namespace heddle::threadlab {

class PaintAllImages : public Command {
 public:
  static constexpr std::size_t kMostImages = 4096;

  // `url` is the page's: what its images' addresses count from.
  PaintAllImages(std::string name, std::shared_ptr<Tree> tree, std::shared_ptr<Region> onto, std::string url,
                 LoadUrl::Limits limits);

  Step part(Context& context) override;

 private:
  static constexpr std::size_t kImagesPerPart = 16;

  Rectangle cell(std::size_t index) const;
  void add(Context& context, std::size_t index);

  const std::shared_ptr<Tree> tree_;
  const std::shared_ptr<Region> onto_;
  const std::string url_;
  const LoadUrl::Limits limits_;
  bool looked_ = false;
  std::vector<std::string> images_;
  std::size_t added_ = 0;
  std::size_t columns_ = 1;
};

}  // namespace heddle::threadlab
