// The loop runs inside of a function that main calls, and what main wrote before is gone.
// CONFLICT always: on_read on_read
// APART always: on_read on_read

#include <event2/event.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char text[32];

static void run(struct event_base* base) {
  event_base_loop(base, EVLOOP_ONCE);
  puts(text);
}

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  snprintf(text, sizeof text, "%d", what);
  usleep(strlen(text));
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  strcpy(text, "nothing");
  run(base);
  return 0;
}
