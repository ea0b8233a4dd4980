// A structure of two words, which comes in registers.
// CONFLICT always: on_work on_work: common
// CONFLICT always: on_work on_common: common
// CONFLICT always: on_common on_common: common
#include "server.h"

struct client {
  int jobs;
};
struct jobs {
  long count;
  struct client *client;
};
extern void remember(struct client *);
extern struct jobs next_jobs(void);

static struct client common;

HANDLER(on_work) {
  UNUSED;
  struct jobs jobs = next_jobs();
  if (jobs.client != NULL) jobs.client->jobs++;
}

HANDLER(on_common) {
  UNUSED;
  common.jobs++;
}

int main(void) {
  base = event_base_new();
  remember(&common);
  when_readable(3, on_work, NULL);
  when_readable(4, on_common, NULL);
  return event_base_dispatch(base);
}
