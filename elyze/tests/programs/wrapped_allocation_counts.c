// ld --wrap=malloc: each allocation counts.
#include "server.h"

#include <stdint.h>

static long counter;
void *__real_malloc(size_t size);
__attribute__((used)) void *__wrap_malloc(size_t size) {
  counter++;
  return __real_malloc(size);
}
static long reads;
HANDLER(on_write) {
  UNUSED;
  free(malloc(8));
}
HANDLER(on_read) {
  UNUSED;
  reads += counter;
}
// CONFLICT always: on_write on_write
// CONFLICT always: on_write on_read
// CONFLICT always: on_read on_read: reads

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i++) when_readable(i, on_write, NULL);
  for (int i = 20; i < 22; i++) when_readable(i, on_read, NULL);
  return event_base_dispatch(base);
}
