// Signals that end the process, where the program has no function for them. A handler that crashes is named before it
// dies, as it would have died on libevent: by the same signal, at the same instruction, with the same core file. One
// that dies because nobody reads what it writes, or because somebody wants the process to end, lets the others end
// first. A program that has a function of its own for the signal keeps it, and sees the default action in place of ours
// (libevent/dispositions.cpp).
#pragma once

#include <csignal>
#include <optional>

namespace heddle::multivent {

// Before the program's main; names are known only if there is a registry of handlers.
void take_fatal_signals(bool parallel);

// What stands in place of the default action; none if that is the default action itself. Safe in a signal handler.
std::optional<struct sigaction> in_place_of_default(int number);
bool is_in_place_of_default(const struct sigaction& action);

// Whether the signal ends the process: the program has no function for it.
bool ends_the_process(const struct sigaction& action);

}  // namespace heddle::multivent
