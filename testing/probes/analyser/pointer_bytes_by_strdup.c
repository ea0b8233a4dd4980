// Pointer bytes by strdup.
// CONFLICT always: on_a on_b: g
#include "server.h"

static long g;
static char* held;
HANDLER(on_a) {
  UNUSED;
  char bytes[8] = "";
  memcpy(bytes, held, 6);
  long* p;
  memcpy(&p, bytes, sizeof p);
  (*p)++;
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
int main(void) {
  base = event_base_new();
  long* q = &g;
  held = strndup((char*)&q, sizeof q);
  if (strlen(held) != 6) return 1;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
