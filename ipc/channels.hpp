// From a descriptor to the channel it is an end of.
//
// What a descriptor is, is remembered until it is closed, as far as that is seen; what makes descriptors forgets what
// was remembered of their numbers, too. Calls of which processor time is taken look whether it still holds.
#pragma once

#include <sys/socket.h>

#include "ipc/recording.hpp"

namespace heddle::ipc {

// Of no channel: null.
Slot* channel(int descriptor);

// Of a datagram socket that has no peer: the channel for this address, which may be null. `slot` is what channel()
// said.
Slot* channel(int descriptor, Slot* slot, const sockaddr* address, socklen_t bytes);

// The descriptor is, or will be, another one, or none.
void forget(int descriptor);
void forget_range(unsigned first, unsigned last);

// Looks whether the descriptor is still of this channel; if not, it is forgotten, and noted.
void check(int descriptor, const Slot& slot);

// The two sockets are each other's peers.
void note_pair(const int (&descriptors)[2]);

// The socket waits for connections.
void note_listener(int descriptor);

// The process has restricted its system calls: a look at a new descriptor might end it.
void look_no_more();

}  // namespace heddle::ipc
