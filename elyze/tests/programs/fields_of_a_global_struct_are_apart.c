// Two fields of one global structure are two objects: handlers that stay with their own field are free of each other.
// CONFLICT always: on_request on_request: stats.requests
// CONFLICT always: on_transfer on_transfer: stats.bytes
// SAFE: on_request on_transfer
// CONFLICT always: on_request on_report: stats.requests
// SAFE: on_transfer on_report
// SAFE: on_report on_report

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

static const struct timeval second = {1, 0};

static struct {
  long requests;
  long bytes;
} stats;

static void on_request(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  stats.requests++;
}

static void on_transfer(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  stats.bytes += 512;
}

static void on_report(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  printf("%ld requests\n", stats.requests);
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_request, NULL), NULL);
  event_add(event_new(base, -1, EV_PERSIST, on_transfer, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_report, NULL), &second);
  return event_base_dispatch(base);
}
