// Nor does that of next_jobs() say anything of the pointer in the structure that it returns, which takes the place of
// the handler's own.
// CONFLICT always: on_work on_work: common
// CONFLICT always: on_work on_common: common
// CONFLICT always: on_common on_common: common
#include "server.h"

struct client {
  int jobs;
};
struct jobs {
  long count, first, last;
  struct client *client;
};
extern void remember(struct client *);
extern struct jobs next_jobs(void);

static struct client common;

static void work(struct jobs *jobs) {
  *jobs = next_jobs();
  if (jobs->client != NULL) jobs->client->jobs++;
}

HANDLER(on_work) {
  UNUSED;
  struct jobs jobs = {0, 0, 0, arg};
  work(&jobs);
}

HANDLER(on_common) {
  UNUSED;
  common.jobs++;
}

int main(void) {
  base = event_base_new();
  remember(&common);
  for (int fd = 3; fd < 5; ++fd) when_readable(fd, on_work, calloc(1, sizeof(struct client)));
  when_readable(5, on_common, NULL);
  return event_base_dispatch(base);
}
