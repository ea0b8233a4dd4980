// CONFLICT always: on_a on_b: words of the command line
// CONFLICT always: on_b on_b: words of the command line
// SAFE: on_a on_a
#include <err.h>

#include "server.h"
static char* name;
static void say(const char* f, ...) {
  va_list l;
  va_start(l, f);
  vwarnx(f, l);
  va_end(l);
}
HANDLER(on_a) {
  UNUSED;
  say("%d", 1);
}
HANDLER(on_b) {
  UNUSED;
  memset(name, 'x', 3);
  memset(name, 'y', 3);
}
int main(int argc, char** argv) {
  base = event_base_new();
  name = argv[0];
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
