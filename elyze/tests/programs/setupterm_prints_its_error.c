// CONFLICT always: on_a on_a: current terminal
// CONFLICT always: on_a on_b: what 0, 1 and 2 lead to
// CONFLICT always: on_b on_b: what 0, 1 and 2 lead to
#include "server.h"

int setupterm(const char*, int, int*);
HANDLER(on_a) {
  UNUSED;
  setupterm("nosuch", 1, NULL);
}
HANDLER(on_b) {
  UNUSED;
  fprintf(stderr, "a\n");
  fprintf(stderr, "b\n");
}
int main(int argc, char** argv) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
