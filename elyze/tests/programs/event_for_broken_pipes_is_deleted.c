// An event for a signal is a function for it, until event_del(): in a serial run SIGPIPE never ends the process.
// CONFLICT always: on_signal on_signal: got
// CONFLICT always: on_signal on_delete: *broken
// SAFE: on_signal on_write
// CONFLICT always: on_delete on_delete: *broken
// CONFLICT always: on_delete on_write: signal handlers
// CONFLICT always: on_write on_write: file of writing
#include <signal.h>

#include "server.h"

static struct event* broken;
static int got;
static int writing;

HANDLER(on_signal) {
  UNUSED;
  got++;
}

HANDLER(on_delete) {
  UNUSED;
  event_del(broken);
  event_add(broken, NULL);
}

HANDLER(on_write) {
  UNUSED;
  write(writing, "x", 1);
}

int main(void) {
  base = event_base_new();
  int ends[2];
  pipe(ends);
  close(ends[0]);
  writing = ends[1];
  broken = evsignal_new(base, SIGPIPE, on_signal, NULL);
  event_add(broken, NULL);
  when_readable(3, on_delete, NULL);
  when_readable(4, on_write, NULL);
  return event_base_dispatch(base);
}
