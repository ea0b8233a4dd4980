// Numbers that handlers share: what is only counted, only set, set back, or tested.
// CAUSE variable hits: atomic-counter
// CAUSE variable stopping: atomic-flag
// CAUSE variable now: atomic-flag
// CAUSE variable pending: atomic-counter
// CAUSE variable queue: split-handler
#include <event2/event.h>
#include <stdlib.h>
#include <time.h>

static unsigned long hits;
static int stopping;
static time_t now;
static int pending;
static struct {
  int first, last;
  int item[16];
} queue;

static void put(int number) {
  if (queue.last - queue.first == 16) return;
  queue.item[queue.last % 16] = number;
  queue.last++;
}

static int take(void) {
  int number = queue.item[queue.first % 16];
  queue.first++;
  return number;
}

static void on_request(evutil_socket_t fd, short what, void *arg) {
  (void)what, (void)arg;
  hits++;
  pending++;
  if (stopping || now == 0) return;
  put(fd);
}

static void on_worker(evutil_socket_t fd, short what, void *arg) {
  (void)fd, (void)what, (void)arg;
  hits += (unsigned long)take();
  if (pending > 0) pending--;
}

static void on_clock(evutil_socket_t fd, short what, void *arg) {
  (void)fd, (void)what, (void)arg;
  now = time(NULL);
  if (hits > 1000) pending = 0;
}

static void on_signal(evutil_socket_t fd, short what, void *arg) {
  (void)fd, (void)what, (void)arg;
  stopping = 1;
}

int main(void) {
  struct event_base *base = event_base_new();
  event_add(event_new(base, 0, EV_READ | EV_PERSIST, on_request, NULL), NULL);
  event_add(event_new(base, 1, EV_WRITE | EV_PERSIST, on_worker, NULL), NULL);
  event_add(event_new(base, -1, EV_PERSIST, on_clock, NULL), &(struct timeval){1, 0});
  event_add(event_new(base, 15, EV_SIGNAL, on_signal, NULL), NULL);
  return event_base_dispatch(base);
}
