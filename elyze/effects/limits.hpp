// How large a recursive component may be for its calls to be told apart.
#pragma once

#include <cstddef>

namespace heddle::elyze {

// A recursive component beyond these limits becomes a pool (effects/pool.hpp). Within them its summaries grow from
// nothing to a fixed point, which exists unless a pointer that moves on with each call gives ever new distances.
struct Limits {
  std::size_t members = 24;    // with 0 every function is in a pool, recursive or not
  std::size_t effects = 4000;  // of all members together
  int rounds = 10;
};

}  // namespace heddle::elyze
