// Pointer through puts and fgets.
// CONFLICT always: on_a on_b: g
#include "server.h"

static long g;
static FILE* file;
HANDLER(on_a) {
  UNUSED;
  void* v = NULL;
  if (fscanf(file, "%p", &v) != 1) return;
  long* p = v;
  (*p)++;
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
int main(void) {
  base = event_base_new();
  file = tmpfile();
  fprintf(file, "%p", (void*)&g);
  rewind(file);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
