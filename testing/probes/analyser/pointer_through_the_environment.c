// Pointer through the environment.
// CONFLICT always: on_a on_b: g
#define _GNU_SOURCE
#include "server.h"

static long g;

HANDLER(on_a) {
  UNUSED;
  void* v = NULL;
  const char* text = getenv("WHERE");
  if (text) sscanf(text, "%p", &v);
  long* p = v;
  if (!p) return;
  (*p)++;
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
int main(void) {
  base = event_base_new();
  char text[40];
  snprintf(text, sizeof text, "%p", (void*)&g);
  setenv("WHERE", text, 1);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
