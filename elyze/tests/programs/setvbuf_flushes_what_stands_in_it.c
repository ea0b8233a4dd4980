// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b: contents of x
// CONFLICT always: on_b on_b: seen
#include "server.h"

static FILE* f;
static int d;
static char seen, seen2;
static char buf[9];
HANDLER(on_a) {
  UNUSED;
  setvbuf(f, NULL, _IONBF, 0);
}
HANDLER(on_b) {
  UNUSED;
  pread(d, &seen, 1, 0);
  pread(d, &seen2, 1, 0);
}
int main(int argc, char** argv) {
  base = event_base_new();
  f = fopen("x", "w");
  d = open("x", O_RDONLY);
  fputs("x", f);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
