// libheddle_ipc.so is preloaded into every program that `heddle ipc record` follows, and begins before main.
#include <dlfcn.h>

#include <cstdlib>

#include "ipc/calls.hpp"
#include "ipc/environment.hpp"
#include "ipc/recording.hpp"
#include "schemas/environment.hpp"

using namespace heddle::ipc;

namespace {

[[gnu::constructor]] void start() {
  const char* const folder = std::getenv(heddle::schemas::environment::kIpcFolder);  // NOLINT(concurrency-mt-unsafe)
  Dl_info us{};
  if (folder == nullptr || dladdr(reinterpret_cast<const void*>(&start), &us) == 0) return;
  if (!remember_environment(us.dli_fname, folder) || !prepare(folder)) return;
  {
    Patcher patcher;
    costs.unseen = follow_calls(patcher);
  }
  begin_if_needed();
}

}  // namespace
