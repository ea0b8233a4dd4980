// The kernel tells where the lock begins that another one is in the way of.
// CONFLICT always: on_a on_a: item
// CONFLICT always: on_a on_b: item
// CONFLICT always: on_b on_b: item
#include <stdint.h>
#include "server.h"

struct item {
  long hits;
};
static struct item item;
static struct item *found;
HANDLER(on_a) {
  UNUSED;
  found->hits++;
}
HANDLER(on_b) {
  UNUSED;
  item.hits++;
}

int main(void) {
  base = event_base_new();
  struct flock lock = {.l_type = F_WRLCK, .l_start = (off_t)(uintptr_t)&item}, now = lock;
  now.l_start = 0;
  int file = open("/tmp/lock", O_RDWR);
  fcntl(file, F_SETLK, &lock);
  fcntl(file, F_GETLK, &now);
  found = (struct item *)(uintptr_t)now.l_start;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
