// A callee assigns one of two events of its caller; afterwards nobody knows what argument stands in which.
// CONFLICT always: on_work on_work: common
// CONFLICT always: on_work on_common: common
// CONFLICT always: on_common on_common: common
#include "server.h"

struct client {
  int jobs;
};

static struct client common;

HANDLER(on_common) {
  UNUSED;
  common.jobs++;
}

static void assign(struct event *one, struct event *other, int first) {
  struct event *event = first ? one : other;
  event_assign(event, base, -1, 0, on_common, &common);
}

HANDLER(on_work) {
  UNUSED;
  struct event one, other;
  struct client own = {0};
  one.ev_evcallback.evcb_arg = &own;
  other.ev_evcallback.evcb_arg = &own;
  assign(&one, &other, fd & 1);
  struct client *client = one.ev_evcallback.evcb_arg;
  client->jobs++;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_work, NULL);
  when_readable(4, on_work, NULL);
  when_readable(5, on_common, NULL);
  return event_base_dispatch(base);
}
