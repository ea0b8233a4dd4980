// A child that returns from the handler goes on with the program on a copy of its memory, in which no other handler may
// stand half done. So does one that runs a loop of its own.
// CONFLICT always: on_daemon on_daemon: process whose copy goes on
// CONFLICT always: on_daemon on_worker: process whose copy goes on
// CONFLICT always: on_daemon on_idle: process whose copy goes on
// CONFLICT always: on_worker on_worker: process whose copy goes on
// CONFLICT always: on_worker on_idle: process whose copy goes on
// SAFE: on_idle on_idle
#include "server.h"

static int level;

static void go_to_the_background(void) {
  if (fork() != 0) _exit(0);
  level = 1;
}

static void serve(void) {
  level = 2;
  event_base_dispatch(base);
  _exit(0);
}

HANDLER(on_daemon) {
  UNUSED;
  go_to_the_background();
}

HANDLER(on_worker) {
  UNUSED;
  if (fork() == 0) serve();
}

HANDLER(on_idle) { UNUSED; }

int main(void) {
  base = event_base_new();
  when_readable(3, on_daemon, NULL);
  when_readable(4, on_worker, NULL);
  when_readable(5, on_idle, NULL);
  return event_base_dispatch(base);
}
