// A function of a library looks the variable up by its name.
// CONFLICT always: on_write on_write
// CONFLICT always: on_write on_read
// CONFLICT always: on_read on_read: reads
#include "server.h"

void *lt_dlsym(void *handle, const char *name);
long counter;
static long *found;
static long reads;
HANDLER(on_write) {
  UNUSED;
  ++*found;
}
HANDLER(on_read) {
  UNUSED;
  reads += counter;
}

int main(void) {
  base = event_base_new();
  found = lt_dlsym(NULL, "counter");
  for (int i = 3; i < 9; i++) when_readable(i, on_write, NULL);
  for (int i = 20; i < 22; i++) when_readable(i, on_read, NULL);
  return event_base_dispatch(base);
}
