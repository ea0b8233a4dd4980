// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
// A registers two, B one between them.
#include "server.h"

static int x, y, z;
static void one(int s, void* p) {
  (void)s;
  printf("%d\n", *(int*)p);
}
HANDLER(on_a) {
  UNUSED;
  on_exit(one, &x);
  on_exit(one, &y);
}
HANDLER(on_b) {
  UNUSED;
  on_exit(one, &z);
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
