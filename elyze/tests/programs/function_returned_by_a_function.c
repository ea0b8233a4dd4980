// The function to call is the result of another function.
// CONFLICT always: on_request on_request: misses
// CONFLICT always: on_request on_show: misses
// SAFE: on_show on_show

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

static const struct timeval second = {1, 0};
static int misses;

static void handle_hit(void) { puts("hit"); }

static void handle_miss(void) { misses++; }

static void (*choose(int found))(void) { return found ? handle_hit : handle_miss; }

static void on_request(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)arg;
  choose(what & EV_READ)();
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  printf("%d\n", misses);
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_request, NULL), NULL);
  event_add(event_new(base, -1, EV_PERSIST, on_show, NULL), &second);
  return event_base_dispatch(base);
}
