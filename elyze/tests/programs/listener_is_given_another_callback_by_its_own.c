// The callback of a listener sets another one, for a client. What else waits is accepted by that, in the same call.
// CONFLICT always: on_first on_first: first_calls
// IMPRECISE: on_first on_second: session
// CONFLICT always: on_first on_work: callback that libevent calls next
// CONFLICT session: on_second on_second: client->busy
// CONFLICT session: on_second on_work: client->busy
// CONFLICT session: on_work on_work: client->busy
#include <event2/listener.h>
#include <netinet/in.h>

#include "server.h"

struct client {
  long busy;
};
struct door {
  struct client *client;
};

static void on_second(struct evconnlistener *listener, evutil_socket_t fd, struct sockaddr *from, int length,
                      void *arg) {
  struct client *client = arg;
  (void)listener, (void)from, (void)length;
  close(fd);
  client->busy++;
}

static long first_calls;
static void on_first(struct evconnlistener *listener, evutil_socket_t fd, struct sockaddr *from, int length,
                     void *arg) {
  first_calls++;
  struct door *door = arg;
  (void)from, (void)length;
  close(fd);
  evconnlistener_set_cb(listener, on_second, door->client);
}

HANDLER(on_work) {
  (void)fd, (void)what;
  struct client *client = arg;
  client->busy++;
}

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct door *door = calloc(1, sizeof *door);
    struct client *client = calloc(1, sizeof *client);
    if (door == NULL || client == NULL) return 1;
    door->client = client;
    when_readable(i, on_work, client);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(8080 + i)};
    evconnlistener_new_bind(base, on_first, door, LEV_OPT_CLOSE_ON_FREE, -1, (struct sockaddr *)&at, sizeof at);
  }
  return event_base_dispatch(base);
}
