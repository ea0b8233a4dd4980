// A library lets the first two pointers of a session change their places. What stands behind them stays there.
// CONFLICT always: on_two on_two: first
// CONFLICT always: on_two on_second: second
// SAFE: on_two on_third
// CONFLICT always: on_second on_second: second
// SAFE: on_second on_third
// CONFLICT always: on_third on_third: third
#include "server.h"

struct client {
  int jobs;
};

static struct client first, second, third;

struct session {
  struct client *two[2], *last;
};

extern void turn_round(struct client **);

HANDLER(on_two) {
  UNUSED;
  struct session *session = arg;
  turn_round(session->two);
  session->two[0]->jobs++;
}

HANDLER(on_second) {
  UNUSED;
  second.jobs++;
}

HANDLER(on_third) {
  UNUSED;
  struct session *session = arg;
  session->last->jobs++;
}

static struct session *make(void) {
  struct session *session = malloc(sizeof *session);
  session->two[0] = &first;
  session->two[1] = &second;
  session->last = &third;
  return session;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_two, make());
  when_readable(4, on_two, make());
  when_readable(5, on_second, NULL);
  when_readable(6, on_third, make());
  when_readable(7, on_third, make());
  return event_base_dispatch(base);
}
