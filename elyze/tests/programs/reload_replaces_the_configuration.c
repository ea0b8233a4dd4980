// The same configuration is no constant once a signal handler replaces it; the old one is freed under its readers.
// CONFLICT always: on_hangup on_hangup: config
// CONFLICT always: on_hangup on_work: config
// SAFE: on_work on_work

#include <event2/event.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct config {
  int port;
};

static struct config* config;

static void load(int port) {
  struct config* fresh = calloc(1, sizeof *fresh);
  fresh->port = port;
  free(config);
  config = fresh;
}

static void on_hangup(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  load(8081);
}

static void on_work(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  printf("port %d\n", config->port);
}

int main(void) {
  struct event_base* base = event_base_new();
  load(8080);
  event_add(evsignal_new(base, SIGHUP, on_hangup, NULL), NULL);
  event_add(event_new(base, -1, EV_PERSIST, on_work, NULL), &second);
  return event_base_dispatch(base);
}
