// Whether a process is run in parallel, and if not, why: decided here and nowhere else. `heddle run` hands over what it
// was asked for and what it found.
//
// A run is parallel if somebody wants more than one thread, if constraints or the program's own promises say what may
// run at once, and if they allow that anything does. Otherwise it is serial, and says the first reason that applies.
#pragma once

#include <optional>
#include <string>

#include "multivent/process/settings.hpp"
#include "multivent/program/constraints_file.hpp"

namespace heddle::multivent {

struct Mode {
  Threads threads = {};         // of a parallel run
  std::string why_serial = {};  // empty: parallel
  std::string pinned = {};      // of a parallel run: which handlers stay on the thread of the loop; empty: none
  // It is serial only because the document lets nothing run at once. What the program declares may change that.
  bool nothing_may_overlap = false;

  bool parallel() const { return why_serial.empty(); }
  // In the words that follow "running PROGRAM".
  std::string how() const;
};

// All that the decision depends on, beside the document.
struct Wishes {
  bool preloaded = false;     // by `heddle run` or by hand; otherwise the program is linked with us
  bool commanded = false;     // by `heddle run`: reasons name its options
  std::string obstacle = {};  // of a linked program: why no event base will ever be ours; empty: nothing
  bool serial = false;        // the environment asks for it
  std::optional<Threads> of_environment = {};  // from HEDDLE_THREADS
  std::optional<Threads> of_program = {};      // from multivent_set_threads()
  Threads automatic = {};                      // what this machine suggests
  std::string no_document = {};                // why there is nothing to say what may run at once; empty: there is
  bool threads_in_any_case = false;  // for tests of the runtime: also where the document lets nothing run at once
};

// Before the document is read: null. With it, the last word.
Mode decide(const Wishes& wishes, const ConstraintsFile* document);

}  // namespace heddle::multivent
