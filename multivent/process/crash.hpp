// A handler that crashes is named before the program dies, as it would have died on libevent: by the same signal, at
// the same instruction, with the same core file. A program that has a handler of its own for the signal keeps it.
#pragma once

namespace heddle::multivent {

// Before the program's main; names are known only if there is a registry of handlers.
void name_handlers_that_crash();

}  // namespace heddle::multivent
