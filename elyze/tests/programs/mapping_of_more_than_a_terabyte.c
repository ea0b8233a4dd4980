// An object may be larger than a terabyte where nobody uses most of it.
// CONFLICT always: on_some on_far: table
// CONFLICT always: on_member on_all: space->used
// CONFLICT always: on_kept on_found
#define _GNU_SOURCE
#include <sys/mman.h>

#include "server.h"

struct space {
  char low[1L << 41];
  long used;
  long *last;
};

static char *table;
static struct space *space;
static long *found;

HANDLER(on_some) {
  UNUSED;
  table[(long)(fd & 3) << 40]++;
}

HANDLER(on_far) {
  UNUSED;
  table[1L << 41]++;
}

HANDLER(on_member) {
  UNUSED;
  space->used++;
}

HANDLER(on_all) {
  UNUSED;
  memset(space, 0, sizeof *space);
}

HANDLER(on_kept) {
  UNUSED;
  ++*found;
}

HANDLER(on_found) {
  long *mine = arg;
  (void)fd, (void)what;
  ++*mine;
}

static void *reserve(size_t size) {
  void *made = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (made == MAP_FAILED) exit(1);
  return made;
}

int main(void) {
  long *number = calloc(1, sizeof *number);
  table = reserve(1L << 42);
  space = reserve(sizeof *space);
  space->last = number;
  found = space->last;
  base = event_base_new();
  when_readable(3, on_some, NULL);
  when_readable(4, on_far, NULL);
  when_readable(5, on_member, NULL);
  if (found == NULL) when_readable(6, on_all, NULL);
  when_readable(7, on_kept, NULL);
  when_readable(8, on_found, number);
  return event_base_dispatch(base);
}
