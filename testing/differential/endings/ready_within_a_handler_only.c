/* A handler fills pipes and empties them again: no look finds them readable. One handler reads a pipe that it would
   have to wait for; what another is called for is what the handler says, and that one's priority can be set. */
#include "small.h"

static int end[2], other[2], third[2], shared;
static struct event* told;
static struct event* ranked;

HANDLER(on_spare) { UNUSED; }
HANDLER(on_pipe) {
  char byte = 0;
  (void)what, (void)arg;
  ++shared;
  say(read(fd, &byte, 1) == 1 ? "read\n" : "nothing\n");
}
HANDLER(on_told) {
  (void)fd, (void)arg;
  ++shared;
  say(what == EV_TIMEOUT ? "told\n" : "for something else\n");
}
HANDLER(on_ranked) {
  UNUSED;
  ++shared;
  say("ranked\n");
}
HANDLER(on_work) {
  char byte = 0;
  UNUSED;
  ++shared;
  if (write(end[1], "x", 1) != 1 || write(other[1], "x", 1) != 1 || write(third[1], "x", 1) != 1) say("not written\n");
  take(60);
  if (read(end[0], &byte, 1) != 1) say("not read\n");
  event_active(told, EV_TIMEOUT, 1);
  say(event_priority_set(ranked, 1) == 0 ? "set\n" : "not set\n");
}
HANDLER(on_end) {
  UNUSED;
  say("end\n");
  event_base_loopbreak(base);
}

int main(void) {
  base = event_base_new();
  event_base_priority_init(base, 2);
  if (pipe(end) != 0 || pipe(other) != 0 || pipe(third) != 0) return 2;
  event_add(event_new(base, end[0], EV_READ | EV_PERSIST, on_pipe, NULL), NULL);
  told = event_new(base, other[0], EV_READ, on_told, NULL);
  event_add(told, NULL);
  ranked = event_new(base, third[0], EV_READ, on_ranked, NULL);
  event_priority_set(ranked, 0);
  event_add(ranked, NULL);
  due(base, on_spare, NULL);
  due(base, on_work, NULL);
  due_in(300, on_end, NULL);
  event_base_dispatch(base);
  return 0;
}
