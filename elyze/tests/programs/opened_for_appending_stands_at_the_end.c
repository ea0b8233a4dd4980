// CONFLICT always: on_a on_a: seen
// CONFLICT always: on_a on_b: contents of x
// CONFLICT always: on_b on_b: contents of x
#include "server.h"

static int d;
static long seen;
HANDLER(on_a) {
  UNUSED;
  FILE* f = fopen("x", "a");
  seen = lseek(fileno(f), 0, SEEK_CUR);
  fclose(f);
}
HANDLER(on_b) {
  UNUSED;
  write(d, "a", 1);
  write(d, "b", 1);
}
int main(int argc, char** argv) {
  base = event_base_new();
  d = open("x", O_RDWR);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
