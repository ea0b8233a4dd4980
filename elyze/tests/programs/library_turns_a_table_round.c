// A library, of which its spec says so, lets the pointers in a table change their places.
// CONFLICT always: on_two on_two: first
// CONFLICT always: on_two on_all: first
// CONFLICT always: on_two on_second: second
// CONFLICT always: on_all on_all: first
// CONFLICT always: on_all on_second: second
// CONFLICT always: on_second on_second: second
#include "server.h"

struct client {
  int jobs;
};

static struct client first, second;

extern void turn_round(struct client **);
extern void turn_all(struct client **);

HANDLER(on_two) {
  UNUSED;
  struct client *table[2] = {&first, &second};
  turn_round(table);
  table[0]->jobs++;
}

HANDLER(on_all) {
  UNUSED;
  struct client *table[2] = {&first, &second};
  turn_all(table);
  table[0]->jobs++;
}

HANDLER(on_second) {
  UNUSED;
  second.jobs++;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_two, NULL);
  when_readable(4, on_all, NULL);
  when_readable(5, on_second, NULL);
  return event_base_dispatch(base);
}
