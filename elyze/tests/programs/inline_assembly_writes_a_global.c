// Inline assembly says what it touches: here it increments the counter that the other handler reads.
// CONFLICT always: on_count on_count: counter
// CONFLICT always: on_count on_show: counter
// SAFE: on_show on_show

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>

static const struct timeval second = {1, 0};
static int counter;

static void on_count(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  __asm__ volatile("incl %0" : "+m"(counter) : : "cc");
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  printf("%d\n", counter);
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_count, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_show, NULL), &second);
  return event_base_dispatch(base);
}
