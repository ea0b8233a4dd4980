// The table itself is constant, the counters that its initialiser points to are not.
// CONFLICT always: on_route on_route: hits_index
// CONFLICT always: on_route on_reset: hits_index
// CONFLICT always: on_reset on_reset: hits_index
// SAFE: on_route on_other
// SAFE: on_reset on_other
// CONFLICT always: on_other on_other: unrelated

#include <event2/event.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static const struct timeval second = {1, 0};
static int hits_index, hits_image, unrelated;

static const struct route {
  const char* path;
  int* hits;
} routes[] = {{"/", &hits_index}, {"/image", &hits_image}};

static void count(const char* path) {
  for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++) {
    if (strcmp(routes[i].path, path) == 0) ++*routes[i].hits;
  }
}

static void on_route(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)arg;
  count(what == EV_READ ? "/" : "/image");
}

static void on_reset(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  hits_index = 0;
}

static void on_other(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  unrelated++;
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_route, NULL), NULL);
  event_add(event_new(base, -1, EV_PERSIST, on_reset, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_other, NULL), &second);
  return event_base_dispatch(base);
}
