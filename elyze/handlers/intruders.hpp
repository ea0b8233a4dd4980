// Functions of the program that are called inside of handlers though no spec says that somebody gets them.
//
// What code without a spec was given may be a signal's function, or be kept by a library that some call ends up in: it
// is called anywhere. A function that the program defines under the name of one that a library looks up is what the
// library gets, for the dynamic linker takes the first definition (System V ABI, 5.5 "Shared Object Dependencies").
// What the compiler calls without a word in the source (ir/generated_calls.hpp) is called anywhere.
#pragma once

#include <vector>

#include "elyze/handlers/world.hpp"

namespace heddle::elyze {

// Those with `by_the_loop` run beside handlers of a parallel run, as well.
std::vector<Intruder> unannounced_intruders(const Analysis& analysis);

}  // namespace heddle::elyze
