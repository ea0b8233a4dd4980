// Of the own session and the one that came last, qsort() may put either first.
// CONFLICT always: on_work on_work: client->jobs
#include "server.h"

struct client {
  int load, jobs;
};

static struct client *last;

static int by_load(const void *one, const void *other) {
  return (*(struct client *const *)one)->load - (*(struct client *const *)other)->load;
}

HANDLER(on_work) {
  UNUSED;
  struct client *table[2] = {arg, last};
  qsort(table, 2, sizeof table[0], by_load);
  table[0]->jobs++;
}

int main(void) {
  base = event_base_new();
  for (int fd = 3; fd < 5; ++fd) {
    last = calloc(1, sizeof *last);
    when_readable(fd, on_work, last);
  }
  return event_base_dispatch(base);
}
