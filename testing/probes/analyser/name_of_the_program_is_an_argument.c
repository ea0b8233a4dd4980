// glibc's program_invocation_name is the first argument.
// CONFLICT always: on_a on_b
// CONFLICT always: on_a on_a
// SAFE: on_b on_b
#define _GNU_SOURCE
#include <errno.h>
#include "server.h"
static char** words;
HANDLER(on_a) {
  UNUSED;
  words[0][0]++;
}
HANDLER(on_b) {
  UNUSED;
  printf("%s\n", program_invocation_name);
}
int main(int argc, char** argv) {
  (void)argc;
  base = event_base_new();
  words = argv;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
