// How memory is accessed, and which two accesses to one byte conflict.
#pragma once

#include <cstdint>

namespace heddle::elyze {

enum class Mode : std::uint8_t { kRead, kWrite, kAtomicRead, kAtomicWrite };

inline bool writes(Mode mode) { return mode == Mode::kWrite || mode == Mode::kAtomicWrite; }
inline bool atomic(Mode mode) { return mode == Mode::kAtomicRead || mode == Mode::kAtomicWrite; }
// Atomic accesses don't conflict with each other.
inline bool clash(Mode a, Mode b) { return (writes(a) || writes(b)) && !(atomic(a) && atomic(b)); }

}  // namespace heddle::elyze
