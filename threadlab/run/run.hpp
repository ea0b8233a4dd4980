// One run of a scenario under one model: data and commands are declared, then all of it runs, once.
//
// Not thread-safe, but for give_up().
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "threadlab/commands/load_url.hpp"
#include "threadlab/commands/parse.hpp"
#include "threadlab/commands/work.hpp"
#include "threadlab/data/canvas.hpp"
#include "threadlab/data/cells.hpp"
#include "threadlab/data/file.hpp"
#include "threadlab/data/image.hpp"
#include "threadlab/data/memory.hpp"
#include "threadlab/data/tree.hpp"
#include "threadlab/models/board.hpp"
#include "threadlab/models/model.hpp"

namespace heddle::threadlab {

struct RunOptions {
  ModelOptions model;
  std::size_t connections = 1;
  double seconds = 120;
  bool busy = false;  // Cooperative: as in the paper, without watching descriptors
};

class Run {
 public:
  explicit Run(const RunOptions& options);

  // What data have made is among the results.
  template <class D, class... Arguments>
  std::shared_ptr<D> make(Arguments&&... arguments) {
    auto data = std::make_shared<D>(std::forward<Arguments>(arguments)...);
    data_.push_back(data);
    return data;
  }
  // std::invalid_argument if there is one.
  std::shared_ptr<Canvas> make_canvas(const std::string& name, std::uint32_t width, std::uint32_t height);

  // Its id. For `group` and `after` see Board::declare().
  std::size_t declare(std::unique_ptr<Command> command, std::size_t group = 0,
                      const std::vector<std::size_t>& after = {}) {
    return board_.declare(std::move(command), group, after).id;
  }

  // Runs all of it, and returns the record (record/record.hpp). std::logic_error the second time.
  std::string execute();
  // By any thread: execute() returns soon, with this error for all that has not ended.
  void give_up(const std::string& error);

  // After execute().
  const Board& board() const { return board_; }
  const Canvas* canvas() const { return canvas_.get(); }

 private:
  static bool locks(const RunOptions& options);

  Board board_;
  const std::unique_ptr<Model> model_;
  std::vector<std::shared_ptr<Data>> data_;
  std::shared_ptr<Canvas> canvas_;
  bool executed_ = false;
};

}  // namespace heddle::threadlab
