/* A base that was told to avoid epoll knows no edges: the event comes as long as the pipe can be read. */
#include "small.h"

static int calls;

HANDLER(on_pipe) {
  (void)fd, (void)arg;
  if (what != EV_READ) say("an edge\n");
  if (++calls == 3) event_base_loopbreak(base);
}
HANDLER(on_end) {
  UNUSED;
  event_base_loopbreak(base);
}

int main(void) {
  int end[2];
  struct event_config* config = event_config_new();
  event_config_avoid_method(config, "epoll");
  base = event_base_new_with_config(config);
  event_config_free(config);
  if (pipe(end) != 0 || write(end[1], "x", 1) != 1) return 2;
  event_add(event_new(base, end[0], EV_READ | EV_ET | EV_PERSIST, on_pipe, NULL), NULL);
  due_in(900, on_end, NULL);
  event_base_dispatch(base);
  say(calls == 3 ? "three calls\n" : "other calls\n");
  return 0;
}
