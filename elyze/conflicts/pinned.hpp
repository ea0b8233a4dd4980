// Which handlers only the thread that entered the event loop may run, and why.
//
// No verdict can say that: two invocations that never overlap may still be on different threads. A handler is pinned if
// it may reach an instruction that asks for its thread, keeps a value per thread, or is not known to do without it
// (effects/thread_use.hpp).
//
// Other state belongs to a thread too, but every thread starts with that of the one that started it: the signal mask,
// identities, priorities, filters and all else that the kernel keeps per thread (`system`); the rounding mode, the
// flags of the floating-point unit and the locale (`mode`). While nobody changes it after the loop was entered, all
// threads of the loop are equal in that, and a handler that depends on it may run on any. If somebody does (a tie), all
// handlers that depend on it are pinned, for in the serial program they would find it changed. Somebody is: a handler;
// a signal handler; what main, or a thread that runs a loop itself, may do after a loop was entered.
//
// A signal to the process comes on the thread that entered the loop, if that lets it in (signal(7)). In a program that
// has a function or an event for a signal, whoever waits in a call that a signal ends (`sleeps`), and whoever touches
// what a signal function writes, is therefore pinned: on one thread that function interrupts the handler which runs.
//
// A thread-local variable that is always filled before it is read would do no harm; the analysis does not look for
// that.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "elyze/effects/thread_use.hpp"
#include "elyze/footprint/footprint.hpp"
#include "elyze/handlers/world.hpp"

namespace heddle::elyze {

// A place where the program depends on the thread, with the calls that lead there.
struct ThreadPlace {
  std::string name;
  ThreadUse use = ThreadUse::kNothing;
  const llvm::Instruction* at = nullptr;
  std::vector<const llvm::CallBase*> way;  // from the handler, or from whatever function the program enters first
};

struct Tie {
  ThreadPlace place;  // its `use` is the state that is changed; kItself: any, for it is unknown code
  std::optional<std::size_t> handler;
};

struct Pin {
  ThreadPlace place;
  std::optional<std::size_t> tie;  // index: pinned only because of it
};

struct Pinned {
  std::vector<std::vector<Pin>> handlers;  // by handler that the loop calls; empty: any thread may run it
  std::vector<Tie> ties;
};

Pinned find_pinned(Analysis& analysis, const World& world, const Footprint& footprint);

}  // namespace heddle::elyze
