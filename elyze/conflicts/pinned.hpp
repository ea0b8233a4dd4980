// Where handlers depend on being on one and the same thread: they ask which one it is, or keep values per thread.
//
// No verdict can say that, for two invocations that never overlap may still be on different threads. A program that has
// such a place is run on one thread. Values per thread are: pthread_getspecific() and the like, and thread-local
// variables. A thread-local variable that is always filled before it is read would do no harm; the analysis does not
// look for that.
#pragma once

#include <string>
#include <vector>

#include "elyze/explain/reached.hpp"

namespace heddle::elyze {

struct OneThread {
  std::string name;                       // of the function that is called, or of the variable
  const llvm::Instruction* at = nullptr;  // the first place
  std::size_t count = 0;                  // of places
  std::vector<std::size_t> handlers;      // that reach one of them, in order
};

std::vector<OneThread> one_thread(const Analysis& analysis, const World& world, const Reached& reached);

}  // namespace heddle::elyze
