// Which calls figures are kept of, where keeping them of every call would cost what light handlers take.
//
// The first calls are all taken, so the figures of a short run are exact. Later one of 32 is, at random: at regular
// distances two handlers that take turns would be seen as one. A call that is taken stands for itself and for all since
// the last one, so that the counts of all handlers together are those of the calls that were made.
#pragma once

#include <cstdint>

namespace heddle::telemetry {

class Sampler {
 public:
  static constexpr std::uint32_t kAll = 4'096;  // that many calls are all taken
  static constexpr std::uint32_t kMeanGap = 32;

  // `every`: all calls are taken, because a trace is wanted.
  explicit Sampler(bool every = false) : every_(every) {}

  // For how many calls the next one stands; 0 if it is not taken.
  std::uint32_t take() {
    if (--left_ != 0) [[likely]]
      return 0;
    const std::uint32_t gap = gap_;
    draw();
    return gap;
  }

  // Not all calls are taken any more, so that of the one before nothing may be known.
  bool leaves_out() const { return taken_ == kAll; }

 private:
  void draw() {
    if (every_ || taken_ < kAll) {
      taken_ += every_ ? 0 : 1;
      left_ = gap_ = 1;
      return;
    }
    // Marsaglia: Xorshift RNGs (2003).
    random_ ^= random_ << 13;
    random_ ^= random_ >> 17;
    random_ ^= random_ << 5;
    left_ = gap_ = 1 + random_ % (2 * kMeanGap - 1);
  }

  const bool every_;
  std::uint32_t left_ = 1;   // calls until the next that is taken
  std::uint32_t gap_ = 1;    // for how many that one stands
  std::uint32_t taken_ = 0;  // of the first ones
  std::uint32_t random_ = 0x9e3779b9;
};

}  // namespace heddle::telemetry
