// malloc_usable_size() looks into the block that it is asked about.
// CONFLICT always: on_size on_end: *block
// SAFE: on_size on_size
#include <malloc.h>

#include "server.h"

static void *block;

HANDLER(on_size) {
  UNUSED;
  if (malloc_usable_size(block) == 0) abort();
}
HANDLER(on_end) {
  UNUSED;
  free(block);
}

int main(void) {
  base = event_base_new();
  block = malloc(100);
  when_readable(3, on_size, NULL);
  event_base_once(base, -1, EV_TIMEOUT, on_end, NULL, NULL);
  return event_base_dispatch(base);
}
