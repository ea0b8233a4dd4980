// CONFLICT always: on_a on_b: words of the command line
// CONFLICT always: on_b on_b: words of the command line
// SAFE: on_a on_a
#include <assert.h>

#include "server.h"
static char* name;
static int bad = 1;
HANDLER(on_a) {
  UNUSED;
  assert(!bad);
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
