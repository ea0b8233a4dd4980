// Behind 2>&1, 1 and 2 are one open file.
// CONFLICT always: on_a on_b: what 0, 1 and 2 lead to
#include "server.h"
HANDLER(on_a) {
  UNUSED;
  printf("status:\n");
  printf("  all is well\n");
}
HANDLER(on_b) {
  UNUSED;
  fprintf(stderr, "client is gone\n");
}
int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  event_base_dispatch(base);
}
