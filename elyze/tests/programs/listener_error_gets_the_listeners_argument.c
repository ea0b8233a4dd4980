// The error callback of a listener gets what the listener was made with.
// SAFE: on_accept on_accept
// CONFLICT session: on_accept on_error: server->errors
// CONFLICT session: on_accept on_tick: server->errors
// CONFLICT session: on_error on_error: server->errors
// CONFLICT session: on_error on_tick: server->errors
// CONFLICT session: on_tick on_tick: server->errors
#include <event2/listener.h>

#include "server.h"

struct server {
  int errors;
};

static void on_accept(struct evconnlistener *listener, evutil_socket_t fd, struct sockaddr *from, int bytes, void *arg) {
  (void)listener, (void)from, (void)bytes;
  dprintf(fd, "%d\n", ((struct server *)arg)->errors);
  close(fd);
}

static void on_error(struct evconnlistener *listener, void *arg) {
  (void)listener;
  ((struct server *)arg)->errors++;
}

HANDLER(on_tick) {
  (void)fd, (void)what;
  ((struct server *)arg)->errors = 0;
}

int main(void) {
  base = event_base_new();
  for (int fd = 3; fd < 9; fd += 2) {
    struct server *server = calloc(1, sizeof *server);
    if (server == NULL) return 1;
    struct evconnlistener *listener = evconnlistener_new(base, on_accept, server, 0, 8, fd);
    if (listener != NULL) evconnlistener_set_error_cb(listener, on_error);
    when_readable(fd + 1, on_tick, server);
  }
  return event_base_dispatch(base);
}
