// CONFLICT always: on_a on_b: name of the program
// CONFLICT always: on_b on_b: name of the program
// SAFE: on_a on_a
#include "server.h"
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
static int bad = 1;
HANDLER(on_a) {
  UNUSED;
  assert(!bad);
}
HANDLER(on_b) {
  UNUSED;
  program_invocation_short_name = "a";
  program_invocation_short_name = "b";
}
int main(int argc, char** argv) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
