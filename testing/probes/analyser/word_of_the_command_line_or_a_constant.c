// A name is a constant text unless the command line gives another, which a handler changes.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// SAFE: on_b on_b
#include "server.h"
static int given;
static char* name = "default";
HANDLER(on_a) {
  UNUSED;
  if (given) name[0]++;
}
HANDLER(on_b) {
  UNUSED;
  printf("%s\n", name);
}
int main(int argc, char** argv) {
  base = event_base_new();
  if (argc > 1) {
    name = argv[1];
    given = 1;
  }
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
