// Counters that handlers only add to: in one step each, they come to the same in any order. Whoever reads them is kept
// apart, and so is whoever sets one.
// CONFLICT always: on_read on_read
// CONFLICT always: on_read on_write
// CONFLICT always: on_read on_report
// CONFLICT always: on_read on_reset
// CONFLICT always: on_write on_write
// COUNTED never: on_read on_read
// COUNTED never: on_read on_write
// COUNTED never: on_write on_write
// COUNTED always: on_read on_report
// COUNTED always: on_write on_report
// COUNTED always: on_read on_reset
// COUNTED always: on_reset on_reset

#include <event2/event.h>
#include <stdio.h>
#include <unistd.h>

static struct {
  unsigned long requests;
  long long bytes;
  unsigned short errors;
  unsigned char kinds[4];
} totals;
long waiting = 100;

static void count(long by) { totals.bytes += by; }

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)arg;
  ++totals.requests;
  count(what);
  totals.errors += 3;
  totals.kinds[what & 3]++;
  waiting--;
}

static void on_write(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)arg;
  for (int i = 0; i < 3; ++i) count(-(usleep(1) + what));
  totals.errors--;
  waiting += 2;
}

static void on_report(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  if (totals.bytes > 100 && waiting != 7) usleep(1);
}

static void on_reset(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  totals.requests = 0;
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  event_add(event_new(base, STDOUT_FILENO, EV_WRITE | EV_PERSIST, on_write, NULL), NULL);
  const struct timeval soon = {0, 1000};
  event_add(event_new(base, -1, EV_PERSIST, on_report, NULL), &soon);
  event_add(event_new(base, -1, EV_PERSIST, on_reset, NULL), &soon);
  event_base_dispatch(base);
  printf("%lu %lld %hu %ld\n", totals.requests, totals.bytes, totals.errors, waiting);
  return 0;
}
