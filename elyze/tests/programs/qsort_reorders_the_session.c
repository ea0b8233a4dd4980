// Sorting an array inside the session writes it.
// CONFLICT session: on_show on_sort: board->scores
// CONFLICT session: on_sort on_sort: board->scores
// SAFE: on_show on_show

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct board {
  int scores[8];
};

static int by_value(const void* left, const void* right) { return *(const int*)left - *(const int*)right; }

static void on_sort(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct board* b = arg;
  qsort(b->scores, 8, sizeof b->scores[0], by_value);
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct board* b = arg;
  printf("%d\n", b->scores[0]);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct board* b = calloc(1, sizeof *b);
    event_add(event_new(base, -1, EV_PERSIST, on_sort, b), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_show, b), &second);
  }
  return event_base_dispatch(base);
}
