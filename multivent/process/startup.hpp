// How a process comes to be run by us: preloaded by `heddle run`, or linked.
//
// Preloaded, the HEDDLE_ variables settle it before main, and what makes no sense ends the process. A linked program
// may have its say first (multivent/multivent.h), so there it is settled with the first event base, or when the program
// asks for it. Then the variables win over what the program says, and that over what is found: PROGRAM.constraints.json
// beside the program, and as many threads as it may use cores. A linked program that cannot run in parallel runs
// serially and says so once: nobody asked for anything at a command line, so nothing is refused.
//
// What a program declares of its handlers holds either way. Whether all this makes a parallel run is decided in
// mode.hpp, and said here, once: what `heddle run` started says how it is run, before main unless the program may yet
// declare something; a program that was started without it says only that and why it is serial.
//
// Any thread may call any function of it.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <string>

#include "multivent/process/runtime.hpp"
#include "multivent/program/declarations.hpp"

namespace heddle::multivent {

class Startup {
 public:
  static Startup& get();

  // Before main, one of these two. UserError if a variable makes no sense, and preloaded if the constraints do not fit.
  // `linked`: the program knows us, so it may declare something before its first event base.
  void preloaded(bool linked);
  // `obstacle`: why no event base will ever be ours; empty if nothing is in the way.
  void linked(const std::string& obstacle);

  // Before each event base is made.
  void settle() {
    if (pending_.load(std::memory_order_acquire)) settle_now();  // with settle_now()'s release
  }

  // From here on the runtime's settings are constant.
  bool settled() const { return !pending_.load(std::memory_order_acquire); }  // with settle_now()'s release

  // What the program wishes; threads and file count for a linked one only. UserError once all is settled.
  void wish_threads(unsigned count);
  void wish_constraints(const std::string& path);
  void declare(const std::function<void(Declarations&)>& add);

 private:
  Startup() = default;
  void settle_now();
  void configure();
  void choose();
  void open(Mode mode);
  Wishes wishes_of_environment() const;
  ConstraintsFile document(const std::string& path) const;
  void still_open() const;
  void say_how_it_runs();
  void configure_runtime(const Mode& mode, const ConstraintsFile* document) const;

  // Cleared under the mutex by settle_now(), after everything is configured; read without it by settle().
  std::atomic<bool> pending_{false};

  std::mutex mutex_;     // guards the rest
  bool said_ = false;    // how it is run
  std::string assumed_;  // what the document takes for granted
  Environment environment_;
  Settings settings_;  // of the environment, and what is found or chosen where that says nothing
  Wishes wishes_;
  std::string constraints_path_;  // that the program wishes
  Declarations declarations_;
};

}  // namespace heddle::multivent
