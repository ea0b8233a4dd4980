#include "threadlab/models/model.hpp"

#include "base/assert.hpp"

namespace heddle::threadlab {

std::unique_ptr<Model> make_model(const ModelOptions& options) {
  switch (options.kind) {
    case ModelOptions::Kind::kCooperative:
    case ModelOptions::Kind::kPool:
    case ModelOptions::Kind::kComposed:
    case ModelOptions::Kind::kConstrained:
      return make_loop_model(options);
    case ModelOptions::Kind::kThreads:
      return make_threads_model(options);
    case ModelOptions::Kind::kSpeculative:
      return make_speculative_model(options);
    case ModelOptions::Kind::kPico:
      return make_pico_model(options);
  }
  HEDDLE_ASSERT(false);
  return nullptr;
}

}  // namespace heddle::threadlab
