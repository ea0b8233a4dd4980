// What one function of a library does as a part of another: a copy of its effects would be forgotten when the entry of
// the first one changes. So the second entry names the first, and where the library has its argument from.
#pragma once

#include "elyze/specs/spec.hpp"

namespace heddle::elyze {

// The effects of `other`, for a caller that calls it with what `likeness` leads to. Throws InputError where an effect
// can't be said of a path, or needs another argument than 0.
std::vector<Effect> effects_of(const Spec& other, const Likeness& likeness);

}  // namespace heddle::elyze
