// The time is written by the call, whatever it returns.
// CONFLICT always: on_read on_read
// APART never: on_read on_read

#include <event2/event.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static struct timeval now;

static long seconds(void) {
  gettimeofday(&now, NULL);
  return now.tv_sec;
}

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  usleep((unsigned)seconds() % 2);
  usleep((unsigned)now.tv_usec % 2);
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  event_base_dispatch(base);
  return 0;
}
