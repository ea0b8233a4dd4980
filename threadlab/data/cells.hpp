// Numbers that many commands add to: what they share, and contend for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "threadlab/data/data.hpp"

namespace heddle::threadlab {

class Cells : public Data {
 public:
  Cells(std::string name, std::size_t count) : Data(std::move(name)), cells_(count) {}

  std::size_t size() const { return cells_.size(); }
  // Under a Guard.
  void add(std::size_t first, std::size_t count) {
    for (std::size_t i = first; i < first + count; ++i) ++cells_[i];
  }
  bool commutes() const override { return true; }
  std::string result() const override {
    return std::to_string(std::accumulate(cells_.begin(), cells_.end(), std::uint64_t{0}));
  }

 private:
  std::vector<std::uint64_t> cells_;
};

}  // namespace heddle::threadlab
