// getopt() prints that it does not know an option: between the two parts of somebody's line.
// CONFLICT always: on_a on_b
// CONFLICT always: on_a on_a
// CONFLICT always: on_b on_b
#include "server.h"
HANDLER(on_a) {
  UNUSED;
  fprintf(stderr, "name: ");
  fprintf(stderr, "value\n");
}
HANDLER(on_b) {
  UNUSED;
  char* words[] = {"x", "-q", NULL};
  getopt(2, words, "v");
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
