// Each client's connection has the listener's port until it is freed: on_open may be refused a second listener there.
// Clients that are freed do not meet each other, and neither does one who stops to listen.
// CONFLICT session: on_event on_event: client
// CONFLICT always: on_event on_open: addresses of sockets
// SAFE: on_event on_stop
// CONFLICT always: on_open on_open: addresses of sockets
// SAFE: accepted accepted
// SAFE: accepted on_event
// CONFLICT always: accepted on_open: addresses of sockets
// CONFLICT always: accepted on_stop: listeners of libevent
// CONFLICT always: on_open on_stop: addresses of sockets
// CONFLICT always: on_stop on_stop: listeners of libevent
#include <event2/bufferevent.h>
#include <event2/listener.h>
#include <netinet/in.h>

#include "server.h"

struct client {
  struct bufferevent* stream;
};

static struct evconnlistener* listener;
static struct sockaddr_in own = {.sin_family = AF_INET, .sin_port = 0x429c};

static void on_event(struct bufferevent* stream, short what, void* arg) {
  (void)what;
  (void)stream;
  struct client* client = arg;
  bufferevent_free(client->stream);
  free(client);
}

static void accepted(struct evconnlistener* from, evutil_socket_t fd, struct sockaddr* peer, int length, void* arg) {
  (void)from, (void)peer, (void)length, (void)arg;
  close(fd);
}

HANDLER(on_open) {
  UNUSED;
  evconnlistener_new_bind(base, accepted, NULL, 0, 5, (struct sockaddr*)&own, sizeof own);
}

HANDLER(on_stop) {
  UNUSED;
  evconnlistener_free(listener);
}

int main(void) {
  base = event_base_new();
  listener = evconnlistener_new_bind(base, accepted, NULL, 0, 5, (struct sockaddr*)&own, sizeof own);
  for (int fd = 10; fd < 12; ++fd) {
    struct client* client = calloc(1, sizeof *client);
    client->stream = bufferevent_socket_new(base, socket(AF_INET, SOCK_STREAM, 0), BEV_OPT_CLOSE_ON_FREE);
    bufferevent_setcb(client->stream, NULL, NULL, on_event, client);
    bufferevent_enable(client->stream, EV_READ);
  }
  when_readable(3, on_open, NULL);
  when_readable(4, on_stop, NULL);
  return event_base_dispatch(base);
}
