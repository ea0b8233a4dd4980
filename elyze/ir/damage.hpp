// LLVM's reader of bitcode checks most of what it reads, but not all: a damaged file can still make it abort or follow
// a wild pointer. While a DamageGuard lives, such a crash prints one line about the file, and the process exits with
// the code for bad input. The signal handler that does so takes no lock and allocates nothing. Only one guard may live
// at a time.
#pragma once

#include <string>

namespace heddle::elyze {

class DamageGuard {
 public:
  explicit DamageGuard(const std::string& file);
  ~DamageGuard();
  DamageGuard(const DamageGuard&) = delete;
  DamageGuard& operator=(const DamageGuard&) = delete;
};

}  // namespace heddle::elyze
