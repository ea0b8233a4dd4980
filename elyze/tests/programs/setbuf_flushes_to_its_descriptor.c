// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b: file of d
// CONFLICT always: on_b on_b: seen
#include <unistd.h>

#include "server.h"
static FILE* f;
static int d;
static long seen, seen2;
static char buf[BUFSIZ];
HANDLER(on_a) {
  UNUSED;
  setbuf(f, buf);
}
HANDLER(on_b) {
  UNUSED;
  seen = lseek(d, 0, SEEK_CUR);
  seen2 = lseek(d, 0, SEEK_CUR);
}
int main(int argc, char** argv) {
  base = event_base_new();
  f = fopen("x", "w");
  d = fileno(f);
  fputs("x\n", f);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
