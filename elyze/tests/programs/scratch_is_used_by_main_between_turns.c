// Main writes it anew after each turn, as handlers do.
// CONFLICT always: on_read on_read
// APART never: on_read on_read

#include <event2/event.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char line[32];

static void show(int n) {
  sprintf(line, "%d", n);
  usleep(strlen(line));
}

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  show(what);
}

int main(void) {
  struct event_base* base = event_base_new();
  int ends[2];
  if (pipe(ends) != 0 || write(ends[1], "x", 1) != 1) return 1;
  event_add(event_new(base, ends[0], EV_READ | EV_PERSIST, on_read, NULL), NULL);
  for (int i = 0; i < 3; ++i) {
    event_base_loop(base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
    show(i);
  }
  return 0;
}
