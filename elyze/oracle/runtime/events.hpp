// What made an event due: libevent's functions that do so, watched. Without libevent there is nothing to see, and every
// invocation counts as due since the loop began, which only orders less.
#pragma once

#include <event2/event_struct.h>

#include "elyze/oracle/runtime/recorder.hpp"

namespace heddle::oracle::events {

// The event whose handler runs on this thread, null if that is not known. Without the lock, for libevent takes its own.
const event* running(const void* base);
// Who made the call that is beginning due: of the event that fired, or of the one-shot call around it.
Cause cause_of_call(const event* fired);
// The loop calls `function` for this event itself, not for something behind it.
bool calls(const event* fired, const void* function);

}  // namespace heddle::oracle::events
