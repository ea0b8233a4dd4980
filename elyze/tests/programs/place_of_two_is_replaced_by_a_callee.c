// A callee stores a global at one of two places of its caller; afterwards nobody knows what stands there.
// CONFLICT always: on_work on_work: common
// CONFLICT always: on_work on_common: common
// CONFLICT always: on_common on_common: common
#include "server.h"

struct client {
  int jobs;
};

static struct client common;

static void put(struct client **one, struct client **other, int first) {
  struct client **place = first ? one : other;
  *place = &common;
}

HANDLER(on_work) {
  UNUSED;
  struct client own = {0}, *a = &own, *b = &own;
  put(&a, &b, fd & 1);
  a->jobs++;
  b->jobs++;
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
