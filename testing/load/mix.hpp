// Which URLs a load asks for, and in what order.
//
// A load that is compared with another one must ask for the same things. So the order is fixed by a seed, and every URL
// comes up exactly as often as its weight says in each round, which also makes a check of all answers complete after
// one round.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::testing::load {

// Input that makes no sense; what() is one line that says what to do.
struct BadInput : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct WeightedPath {
  std::string path;
  std::uint32_t weight = 1;
};

// "PATH=WEIGHT" or "PATH". In "/thumb/a.jpg?w=160" the number belongs to the query; "/thumb/a.jpg?w=160=2" has a
// weight.
WeightedPath parse_weighted_path(std::string_view text);

// Lines "WEIGHT PATH"; empty lines and lines that start with '#' are skipped. `name` is for messages.
std::vector<WeightedPath> parse_mix(std::string_view text, const std::string& name);

class Mix {
 public:
  Mix(std::vector<WeightedPath> paths, std::uint64_t seed);

  // Index of the next path; the round starts again after round_size() calls.
  std::size_t next();

  std::size_t round_size() const { return round_.size(); }
  const std::vector<WeightedPath>& paths() const { return paths_; }

 private:
  std::vector<WeightedPath> paths_;
  std::vector<std::uint32_t> round_;  // indices into paths_, each as often as its weight, shuffled
  std::size_t position_ = 0;
};

// What figures are kept by: the first segment, "/thumb" of "/thumb/a.jpg?w=160".
std::string route_of(std::string_view path);

}  // namespace heddle::testing::load
