// Who calls the parts of a run's commands, when, and on which thread.
//
//   Cooperative   one thread, or one for each group; a task that waits gives way to the others
//   Threads       a thread for each group, which runs its commands in order and waits for each
//   Pool          workers that take what is due, a part at a time; data are locked
//   Constrained   the same, but parts that conflict by what their commands read and write never run at once; no locks
//   Composed      the paper's advice: a thread for each group, one for transfers to files, a pool for what is added
//   Pico          a lightweight thread for each command
//   Speculative   parts run at once as transactions, as far as they can be taken back
// Cooperative, Pool, Constrained and Composed are the scheduler of the runtime (scheduler/crew, scheduler/admission),
// with one thread, without constraints, and with them; Pico is pico/, and Speculative scheduler/speculative.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "threadlab/models/board.hpp"

namespace heddle::threadlab {

struct ModelOptions {
  enum class Kind : std::uint8_t { kCooperative, kThreads, kPool, kPico, kConstrained, kComposed, kSpeculative };

  Kind kind = Kind::kCooperative;
  std::size_t workers = 1;
  std::size_t groups = 1;  // of the scenario
  bool per_group = false;  // kCooperative: a thread for each group
};

class Model {
 public:
  virtual ~Model() = default;

  // Runs what start() returned, and all that follows from it, until the board is finished.
  virtual void run(Board& board, const Board::Tasks& due) = 0;
  // The board was given up: whoever waits has to look. By any thread, while run() runs.
  virtual void wake_all() = 0;
};

std::unique_ptr<Model> make_loop_model(const ModelOptions& options);  // those on the crew
std::unique_ptr<Model> make_threads_model(const ModelOptions& options);
std::unique_ptr<Model> make_pico_model(const ModelOptions& options);
std::unique_ptr<Model> make_speculative_model(const ModelOptions& options);
std::unique_ptr<Model> make_model(const ModelOptions& options);

}  // namespace heddle::threadlab
