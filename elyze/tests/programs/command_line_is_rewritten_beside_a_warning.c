// CONFLICT always: on_a on_b: words of the command line
// CONFLICT always: on_b on_b: words of the command line
// SAFE: on_a on_a
#include <err.h>

#include "server.h"
static char* name;
HANDLER(on_a) {
  UNUSED;
  warnx("full");
}
HANDLER(on_b) {
  UNUSED;
  name[0] = 'a';
  name[1] = 'b';
}
int main(int argc, char** argv) {
  base = event_base_new();
  name = argv[0];
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
