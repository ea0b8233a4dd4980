// The verdict on a pair of handlers, from the best to the worst: may their invocations overlap always, unless they have
// the same session, or not at all?
#pragma once

#include <cstdint>

namespace heddle::elyze {

enum class Verdict : std::uint8_t { kNever, kSession, kAlways };

}  // namespace heddle::elyze
