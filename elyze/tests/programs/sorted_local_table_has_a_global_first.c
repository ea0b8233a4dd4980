// What stands first after qsort() need not be what the handler has put there.
// CONFLICT always: on_work on_work: common
// CONFLICT always: on_work on_common: common
// CONFLICT always: on_common on_common: common
#include "server.h"

struct client {
  int load, jobs;
};

static struct client common;

static int by_load(const void *one, const void *other) {
  return (*(struct client *const *)one)->load - (*(struct client *const *)other)->load;
}

HANDLER(on_work) {
  UNUSED;
  struct client *table[2];
  table[0] = arg;
  table[1] = &common;
  qsort(table, 2, sizeof table[0], by_load);
  table[0]->jobs++;
}

HANDLER(on_common) {
  UNUSED;
  common.jobs++;
}

int main(void) {
  base = event_base_new();
  for (int fd = 3; fd < 5; ++fd) when_readable(fd, on_work, calloc(1, sizeof(struct client)));
  when_readable(5, on_common, NULL);
  return event_base_dispatch(base);
}
