// The entry of take_next() in library_fills_a_pointer_without_a_word.yaml says that it writes, and not where it has
// the pointer from: it may be of what the library was given before.
// CONFLICT always: on_work on_work: common
// CONFLICT always: on_work on_common: common
// CONFLICT always: on_common on_common: common
#include "server.h"

struct client {
  int jobs;
};
extern void remember(struct client *);
extern void take_next(struct client **);

static struct client common;

HANDLER(on_work) {
  UNUSED;
  struct client *next = arg;
  take_next(&next);
  next->jobs++;
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
