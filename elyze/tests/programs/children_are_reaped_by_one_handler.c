// waitpid takes any child's status away from whoever asks next. What it prints for several
// children is several records, and no other one stands between them.
// CONFLICT always: on_child on_child: children
// CONFLICT always: on_child on_tick: stream stdout
// SAFE: on_tick on_tick

#include <event2/event.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/wait.h>

static const struct timeval second = {1, 0};

static void on_child(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  int status;
  while (waitpid(-1, &status, WNOHANG) > 0) printf("status %d\n", status);
}

static void on_tick(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  puts("alive");
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(evsignal_new(base, SIGCHLD, on_child, NULL), NULL);
  event_add(event_new(base, -1, EV_PERSIST, on_tick, NULL), &second);
  return event_base_dispatch(base);
}
