// A number from the command line may be any descriptor, so it meets every session's socket and the listener's; sessions stay apart.
// CONFLICT always: on_tick on_tick
// CONFLICT always: on_tick on_read
// CONFLICT session: on_read on_read: client->fd
// SAFE: on_accept on_accept
// SAFE: on_accept on_read
// CONFLICT always: on_accept on_tick
#include "server.h"
#include <event2/listener.h>
#include <netinet/in.h>

static int extra;
struct client { int fd; struct event *event; char byte; };

HANDLER(on_read) {
  struct client *client = arg;
  UNUSED;
  if (recv(client->fd, &client->byte, 1, 0) == 1) send(client->fd, &client->byte, 1, 0);
}
static void on_accept(struct evconnlistener *listener, evutil_socket_t fd, struct sockaddr *from, int length,
                      void *arg) {
  (void)listener, (void)from, (void)length, (void)arg;
  struct client *client = malloc(sizeof *client);
  client->fd = fd;
  client->event = event_new(base, fd, EV_READ | EV_PERSIST, on_read, client);
  event_add(client->event, NULL);
}
HANDLER(on_tick) {
  UNUSED;
  send(extra, "x", 1, 0);
  send(extra, "y", 1, 0);
}

int main(int argc, char **argv) {
  static const struct timeval second = {1, 0};
  base = event_base_new();
  if (argc < 2) return 1;
  extra = atoi(argv[1]);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(8080)};
  evconnlistener_new_bind(base, on_accept, NULL, LEV_OPT_REUSEABLE, -1, (struct sockaddr *)&address, sizeof address);
  event_add(event_new(base, -1, EV_PERSIST, on_tick, NULL), &second);
  return event_base_dispatch(base);
}
