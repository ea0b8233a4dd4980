/* Events that outlive their base: one of each kind that a base holds on to, asked, deleted and freed when it has gone.
 * Prints what the functions return. */
#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { COUNT = 7 };

static void on_event(evutil_socket_t fd, short what, void* argument) {
  (void)fd, (void)what, (void)argument;
  puts("called");
}

int main(void) {
  int ends[2];
  if (pipe(ends) != 0) return 1;
  alarm(30); /* who waits for a base that has gone waits for ever */
  struct event_base* const base = event_base_new();
  const struct timeval later = {60, 0};
  const struct timeval* const common = event_base_init_common_timeout(base, &later);
  struct event* const events[COUNT] = {
      event_new(base, ends[0], EV_READ, on_event, NULL),
      event_new(base, ends[1], EV_WRITE | EV_PERSIST, on_event, NULL),
      event_new(base, SIGUSR1, EV_SIGNAL | EV_PERSIST, on_event, NULL),
      event_new(base, -1, 0, on_event, NULL),
      event_new(base, -1, EV_PERSIST, on_event, NULL),
      event_new(base, -1, 0, on_event, NULL),
      event_new(base, -1, 0, on_event, NULL), /* never added */
  };
  event_add(events[0], NULL);
  event_add(events[1], &later);
  event_add(events[2], NULL);
  event_add(events[3], &later);
  event_add(events[4], common);
  event_active(events[5], EV_READ, 1);
  event_base_once(base, -1, EV_TIMEOUT, on_event, NULL, &later);
  event_base_once(base, -1, EV_TIMEOUT, on_event, NULL, NULL);
  event_base_free(base);
  for (int i = 0; i < COUNT; i++) {
    const int pending = event_pending(events[i], EV_READ | EV_WRITE | EV_TIMEOUT | EV_SIGNAL, NULL);
    printf("%d: pending %d, deleted %d\n", i, pending, event_del(events[i]));
    event_free(events[i]);
  }
  return 0;
}
