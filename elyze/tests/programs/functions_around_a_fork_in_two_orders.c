// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
// A registers two, B one between them.
#include "server.h"
#include <pthread.h>
static void one(void) { write(1, "1", 1); }
static void two(void) { write(1, "2", 1); }
static void three(void) { write(1, "3", 1); }
HANDLER(on_a) {
  UNUSED;
  pthread_atfork(one, 0, 0);
  pthread_atfork(two, 0, 0);
}
HANDLER(on_b) {
  UNUSED;
  pthread_atfork(three, 0, 0);
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
