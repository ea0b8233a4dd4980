// A configuration on the heap, behind a global pointer, that main fills before the loop: readers are free.
// SAFE: on_a on_a
// SAFE: on_a on_b
// SAFE: on_b on_b

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct timeval second = {1, 0};

struct config {
  int port;
  char* root;
};

static struct config* config;

static void on_a(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  printf("port %d\n", config->port);
}

static void on_b(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  printf("root %s\n", config->root);
}

int main(void) {
  struct event_base* base = event_base_new();
  config = calloc(1, sizeof *config);
  config->port = 8080;
  config->root = strdup("/srv");
  event_add(event_new(base, -1, EV_PERSIST, on_a, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_b, NULL), &second);
  return event_base_dispatch(base);
}
