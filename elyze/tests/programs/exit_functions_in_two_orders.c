// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
// A registers two, B one between them.
#include "server.h"

static void one(void) { puts("1"); }
static void two(void) { puts("2"); }
static void three(void) { puts("3"); }
HANDLER(on_a) {
  UNUSED;
  atexit(one);
  atexit(two);
}
HANDLER(on_b) {
  UNUSED;
  atexit(three);
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
