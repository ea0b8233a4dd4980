#include "threadlab/run/run.hpp"

#include <stdexcept>

#include "threadlab/record/record.hpp"

namespace heddle::threadlab {

// Where only one thread runs parts, or the scheduler keeps those apart that conflict, nothing needs a lock.
bool Run::locks(const RunOptions& options) {
  using Kind = ModelOptions::Kind;
  const ModelOptions& model = options.model;
  switch (model.kind) {
    case Kind::kCooperative:
      return model.per_group && model.groups > 1;
    case Kind::kConstrained:
    case Kind::kSpeculative:
      return false;
    case Kind::kPico:
    case Kind::kPool:
      return model.workers > 1;
    case Kind::kComposed:
    case Kind::kThreads:
      break;
  }
  return true;
}

Run::Run(const RunOptions& options)
    : board_({.connections = options.connections,
              .seconds = options.seconds,
              .locks = locks(options),
              .busy = options.busy}),
      model_(make_model(options.model)) {
  if (options.model.workers == 0 || options.model.workers > 1024)
    throw std::invalid_argument("a model has from 1 to 1024 workers");
  if (options.model.groups == 0 || options.model.groups > 1024)
    throw std::invalid_argument("a scenario has from 1 to 1024 groups");
  if (options.busy && options.model.kind != ModelOptions::Kind::kCooperative)
    throw std::invalid_argument("only the cooperative model can be busy");
}

std::shared_ptr<Canvas> Run::make_canvas(const std::string& name, std::uint32_t width, std::uint32_t height) {
  if (canvas_) throw std::invalid_argument("a scenario has one canvas");
  canvas_ = std::make_shared<Canvas>(name, width, height);
  return canvas_;
}

std::string Run::execute() {
  if (executed_) throw std::logic_error("a run is executed once");
  executed_ = true;
  const CostMeter meter;
  const Board::Tasks due = board_.start();
  if (!board_.finished()) model_->run(board_, due);
  const Cost cost = meter.end();
  return record_as_json(board_, cost, data_, board_.figures().finish(), canvas_.get());
}

void Run::give_up(const std::string& error) {
  board_.give_up(error);
  model_->wake_all();
}

}  // namespace heddle::threadlab
