// strtok remembers where it was in a variable of the library; strtok_r is told where to remember it.
// CONFLICT always: on_a on_a: hidden state of strtok
// CONFLICT always: on_a on_b: hidden state of strtok
// CONFLICT always: on_b on_b: hidden state of strtok
// SAFE: on_a on_c
// SAFE: on_b on_c
// SAFE: on_c on_c

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const struct timeval second = {1, 0};

static void on_a(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  char text[] = "a b c";
  puts(strtok(text, " "));
}

static void on_b(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  char text[] = "x,y";
  puts(strtok(text, ","));
}

static void on_c(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  char text[] = "1:2", *rest;
  puts(strtok_r(text, ":", &rest));
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_a, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_b, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_c, NULL), &second);
  return event_base_dispatch(base);
}
