// CONFLICT always: on_a on_a: contents of x
// CONFLICT always: on_a on_b: contents of x
// CONFLICT always: on_b on_b: file from pipe at spliced_file_page.c:23
/* pages of a file stand in the pipe */
#include "server.h"

static int r, f, m;
static long n;
HANDLER(on_a) {
  UNUSED;
  pwrite(f, "aaaa", 4, 0);
  pwrite(f, "aaaa", 4, 2000);
}
HANDLER(on_b) {
  UNUSED;
  char t[4096];
  n = read(r, t, sizeof t);
  m = t[0] == t[2000];
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();
  int e[2];
  pipe(e);
  r = e[0];
  f = open("x", O_RDWR);
  off_t o = 0;
  splice(f, &o, e[1], 0, 4096, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
