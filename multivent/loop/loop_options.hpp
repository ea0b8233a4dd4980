// How a base is run, as the process has settled it before the base is made.
#pragma once

#include <cstdint>
#include <optional>

#include "scheduler/crew/crew_options.hpp"

namespace heddle::telemetry {
class TraceFile;
}  // namespace heddle::telemetry

namespace heddle::multivent {

class HandlerRegistry;

// When a crew runs the loop; at other times the thread that entered it does so alone.
enum class Crewed : std::uint8_t {
  kAlways,
  kWhereItPays,  // found out while the loop runs (loop_choice.hpp)
  kInTurn        // for tests: they change as often as they can
};

struct LoopOptions {
  std::optional<scheduler::CrewOptions> crew = {};  // none: whoever enters the loop runs it alone
  Crewed crewed = Crewed::kAlways;                  // of a crew
  bool oracle = false;                              // of a crew: checks every call against the constraints once more
  // Of a crew: threads other than the caller's get no signals, because handlers change its mask (ConstraintsFile).
  bool signals_are_tied = false;
  HandlerRegistry* registry = nullptr;  // null: nobody needs names or constraints
  bool statistics = false;
  telemetry::TraceFile* trace_file = nullptr;  // null: none
  // Where it is found out who runs the loop: called about once a second by the thread that entered it, without the
  // mutex; with true before the process gets other threads. Null: nobody wants that.
  void (*looks)(bool for_good) = nullptr;
};

}  // namespace heddle::multivent
