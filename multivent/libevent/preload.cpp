// Start and end of a process that libmultivent.so was preloaded into.
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "multivent/core/runtime.hpp"
#include "multivent/core/user_error.hpp"

using namespace heddle::multivent;

namespace {

[[gnu::constructor]] void start() {
  try {
    Runtime::configure(Settings::from_environment());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "heddle: %s\n", error.what());
    std::_Exit(2);
  }
}

[[gnu::destructor]] void finish() { Runtime::get().report(); }

}  // namespace
