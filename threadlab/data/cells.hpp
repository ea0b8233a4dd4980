// Numbers that many commands add to: what they share, and contend for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "scheduler/speculative/speculative.hpp"
#include "threadlab/data/data.hpp"

namespace heddle::threadlab {

class Cells : public Data {
 public:
  Cells(std::string name, std::size_t count)
      : Data(std::move(name)), count_(count), cells_(std::make_unique<Cell[]>(count)) {}

  std::size_t size() const { return count_; }
  // Under a Guard.
  void add(std::size_t first, std::size_t count) {
    for (std::size_t i = first; i < first + count; ++i) ++cells_[i].outside();
  }
  // In a transaction; a look and a change, so that two of one cell conflict.
  void add(speculative::Transaction& transaction, std::size_t first, std::size_t count) {
    for (std::size_t i = first; i < first + count; ++i) cells_[i].set(transaction, cells_[i].get(transaction) + 1);
  }
  bool commutes() const override { return true; }
  std::string result() const override {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < count_; ++i) sum += cells_[i].outside();
    return std::to_string(sum);
  }

 private:
  using Cell = speculative::Cell<std::uint64_t>;

  const std::size_t count_;
  const std::unique_ptr<Cell[]> cells_;
};

}  // namespace heddle::threadlab
