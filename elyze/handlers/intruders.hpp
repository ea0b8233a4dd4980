// Functions of the program that libraries call though no spec says that they get them.
//
// What code without a spec was given may be kept by any library, or by one that calls another: by the next call of it,
// the function may run inside of a handler. And a function that the program defines under the name of one that a
// library looks up is what the library gets, for the dynamic linker takes the first definition (System V ABI, 5.5
// "Shared Object Dependencies"). What the compiler calls without a word in the source, such as memcpy() for an
// assignment, is called anywhere.
#pragma once

#include <vector>

#include "elyze/handlers/world.hpp"

namespace heddle::elyze {

// Those with `by_the_loop` run beside handlers of a parallel run, as well.
std::vector<Intruder> unannounced_intruders(const Analysis& analysis);

}  // namespace heddle::elyze
