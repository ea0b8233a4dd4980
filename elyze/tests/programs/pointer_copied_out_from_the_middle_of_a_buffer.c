// evbuffer_copyout_from() puts the bytes into its third argument, not into the place in the buffer.
// CONFLICT always: on_work on_work: common
// CONFLICT always: on_work on_common: common
// CONFLICT always: on_common on_common: common
#include "server.h"
#include <event2/buffer.h>

struct client {
  int jobs;
};

static struct client common;
static struct evbuffer *mail;

HANDLER(on_work) {
  UNUSED;
  struct client *next = arg;
  struct evbuffer_ptr from;
  evbuffer_ptr_set(mail, &from, 0, EVBUFFER_PTR_SET);
  if (evbuffer_copyout_from(mail, &from, &next, sizeof next) == sizeof next) next->jobs++;
}

HANDLER(on_common) {
  UNUSED;
  common.jobs++;
}

int main(void) {
  struct client *first = &common;
  base = event_base_new();
  mail = evbuffer_new();
  evbuffer_add(mail, &first, sizeof first);
  for (int fd = 3; fd < 5; ++fd) when_readable(fd, on_work, calloc(1, sizeof(struct client)));
  when_readable(5, on_common, NULL);
  return event_base_dispatch(base);
}
