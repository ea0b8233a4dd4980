// The functions of the C library that are followed, and ours in their place.
#pragma once

#include "ipc/patch.hpp"

namespace heddle::ipc {

// Puts ours in their place. Returns how many could not be, and notes their names in the folder (note_line).
std::uint64_t follow_calls(Patcher& patcher);

}  // namespace heddle::ipc
