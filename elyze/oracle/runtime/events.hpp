// Which invocation made an event due: libevent's functions that do so are watched. Without libevent every invocation
// counts as due since the loop began, which orders less and never more.
#pragma once

#include <event2/event_struct.h>

#include "elyze/oracle/runtime/recorder.hpp"

namespace heddle::oracle::events {

// To be called before a loop begins, without the recorder's lock.
void prepare();
// The event whose handler runs on this thread, null if that is not known. To be called without the recorder's lock, as
// libevent takes its own.
const event* running(const void* base);
// What made the handler due that is about to begin: the cause of the event that fired, or of the one-shot call around
// it.
Cause cause_of_call(const event* fired);
// Is `function` the event's own callback, not one that libevent's callback for the event calls (a bufferevent's)?
bool calls(const event* fired, const void* function);

}  // namespace heddle::oracle::events
