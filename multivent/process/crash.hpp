// A handler that crashes is named before the program dies, as it would have died on libevent: by the same signal, at
// the same instruction, with the same core file. A program that has a handler of its own for the signal keeps it.
#pragma once

#include <csignal>

namespace heddle::multivent {

// Before the program's main; names are known only if there is a registry of handlers.
void name_handlers_that_crash();

// Whether the signal ends the process: the program has no function for it, at most the one that names handlers.
bool names_handlers(
    const struct sigaction& action);  // it is the function that name_handlers_that_crash() has put there
bool ends_the_process(const struct sigaction& action);

}  // namespace heddle::multivent
