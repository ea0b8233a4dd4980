// LLVM's reader of bitcode checks most of what it reads, but not all: a damaged file can still make it abort or follow
// a wild pointer. While a DamageGuard lives, such an end is reported as what it is, one line about the file, and the
// process leaves with the code for bad input. It holds no lock and allocates nothing then. Only one may live at a time.
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
