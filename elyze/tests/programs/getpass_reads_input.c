// CONFLICT always: on_a on_a: contents of some file
// CONFLICT always: on_a on_b: descriptor 0
// CONFLICT always: on_b on_b: descriptor 0
/* getpass() reads a line of the terminal, which B reads byte by byte */
#include "server.h"

static size_t len;
static long n;
HANDLER(on_a) {
  UNUSED;
  char* p = getpass("?");
  if (p) len = strlen(p);
}
HANDLER(on_b) {
  UNUSED;
  char c;
  n = read(0, &c, 1);
  n += read(0, &c, 1);
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
