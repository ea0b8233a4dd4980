// Decodes a JPEG, as far as it has arrived, by libjpeg with a source that suspends it.
//
// A picture that is cut short or damaged is decoded as far as it goes, the rest is grey, and the error says so. One
// that is no JPEG, is larger than kMostPixels, or has more scans than any encoder makes, is refused: a file of a few KB
// can otherwise keep a processor busy for minutes (libjpeg-turbo, "Two Issues with the JPEG Standard", 2015).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "threadlab/commands/command.hpp"
#include "threadlab/data/image.hpp"
#include "threadlab/data/memory.hpp"

namespace heddle::threadlab {

class DecodeJpeg : public Command {
 public:
  static constexpr std::uint64_t kMostPixels = 32'000'000;
  static constexpr int kMostScans = 64;

  DecodeJpeg(std::string name, std::shared_ptr<Memory> from, std::shared_ptr<Image> into);
  ~DecodeJpeg() override;

  Step part(Context& context) override;
  void end(Context& context) override;

 private:
  class Decoder;

  const std::shared_ptr<Memory> from_;
  const std::shared_ptr<Image> into_;
  std::unique_ptr<Decoder> decoder_;
};

}  // namespace heddle::threadlab
