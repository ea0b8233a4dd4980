// A callee walks over its caller's own list and stores a global in each of its members.
// CONFLICT always: on_work on_work: common
// CONFLICT always: on_work on_common: common
// CONFLICT always: on_common on_common: common
#include "server.h"

struct client {
  int jobs;
};

struct member {
  struct member *next;
  struct client *client;
};

static struct client common;

static void fill(struct member *member) {
  for (; member != NULL; member = member->next) member->client = &common;
}

HANDLER(on_work) {
  UNUSED;
  struct client own = {0};
  struct member last = {NULL, &own}, first = {&last, &own};
  fill(&first);
  last.client->jobs++;
}

HANDLER(on_common) {
  UNUSED;
  common.jobs++;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_work, NULL);
  when_readable(4, on_work, NULL);
  when_readable(5, on_common, NULL);
  return event_base_dispatch(base);
}
