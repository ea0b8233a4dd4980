// What a run leaves behind, in the words of schemas/lab.schema.json: all fields but those about the machine and the
// names of scenario and model, which whoever started it knows.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "threadlab/data/canvas.hpp"
#include "threadlab/models/board.hpp"

namespace heddle::threadlab {

struct Cost {
  double seconds = 0;
  double cpu_seconds = 0;
  double foreign_cpu = 0;
};

// Measures between begin and end.
class CostMeter {
 public:
  CostMeter();
  Cost end() const;

 private:
  const ProcessorTimes machine_;
  const double cpu_;
  const base::Nanoseconds start_ns_;
};

// `data`: whose results count, by name. When no task runs.
std::string record_as_json(const Board& board, const Cost& cost, const std::vector<std::shared_ptr<Data>>& data,
                           const std::vector<ThreadFigures>& threads, const Canvas* canvas);

}  // namespace heddle::threadlab
