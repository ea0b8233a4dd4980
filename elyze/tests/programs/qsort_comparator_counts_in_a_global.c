// The library calls back: the comparator's effects are those of the handler that sorts.
// CONFLICT always: on_a on_a: comparisons
// CONFLICT always: on_a on_b: comparisons
// SAFE: on_b on_b
// SAFE: on_a on_c
// SAFE: on_b on_c
// SAFE: on_c on_c

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};
static long comparisons;

static int by_value(const void* left, const void* right) {
  comparisons++;
  return *(const int*)left - *(const int*)right;
}

static int by_value_backwards(const void* left, const void* right) { return *(const int*)right - *(const int*)left; }

static void on_a(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)arg;
  int values[] = {3, 1, (int)what};
  qsort(values, 3, sizeof values[0], by_value);
  printf("%d\n", values[0]);
}

static void on_b(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  printf("%ld\n", comparisons);
}

static void on_c(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)arg;
  int values[] = {3, 1, (int)what};
  qsort(values, 3, sizeof values[0], by_value_backwards);
  printf("%d\n", values[0]);
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_a, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_b, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_c, NULL), &second);
  return event_base_dispatch(base);
}
