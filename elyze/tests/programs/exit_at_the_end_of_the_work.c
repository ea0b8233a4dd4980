// A handler that ends the process as planned decides whether those behind it are called. One that finds no memory does
// not: every handler may, and what others did before is left open.
// CONFLICT always: on_done on_done: end of the process
// CONFLICT always: on_done on_work: end of the process
// SAFE: on_work on_work
#include "server.h"

HANDLER(on_done) {
  UNUSED;
  exit(EXIT_SUCCESS);
}

HANDLER(on_work) {
  UNUSED;
  char *copy = strdup("work");
  if (copy == NULL) exit(EXIT_FAILURE);
  puts(copy);
  free(copy);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_done, NULL);
  when_readable(4, on_work, NULL);
  return event_base_dispatch(base);
}
