// When a connection is made its bufferevent is handed on to a client. The write callback that is due as well is called for
// the client then, in the same call of libevent, which began as one for the login.
// CONFLICT always: on_login on_login: login_calls
// CONFLICT always: on_login on_work: callback that libevent calls next
// IMPRECISE: on_login on_written: session
// CONFLICT always: on_written on_written: written_calls
// CONFLICT session: on_written on_work: client->busy
// CONFLICT session: on_work on_work: client->busy
#include <event2/bufferevent.h>
#include <netinet/in.h>

#include "server.h"

struct client {
  long busy;
};
struct login {
  struct client *client;
};

static long written_calls;
static void on_written(struct bufferevent *bev, void *arg) {
  written_calls++;
  struct client *client = arg;
  (void)bev;
  client->busy++;
}

HANDLER(on_work) {
  (void)fd, (void)what;
  struct client *client = arg;
  client->busy++;
}

static long login_calls;
static void on_login(struct bufferevent *bev, short what, void *arg) {
  login_calls++;
  struct login *login = arg;
  if (what & BEV_EVENT_CONNECTED) bufferevent_setcb(bev, NULL, on_written, NULL, login->client);
}

int main(void) {
  base = event_base_new();
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(8080)};
  for (int i = 3; i < 6; i++) {
    struct login *login = calloc(1, sizeof *login);
    struct client *client = calloc(1, sizeof *client);
    if (login == NULL || client == NULL) return 1;
    login->client = client;
    when_readable(i, on_work, client);
    struct bufferevent *bev = bufferevent_socket_new(base, -1, BEV_OPT_DEFER_CALLBACKS);
    bufferevent_setcb(bev, NULL, NULL, on_login, login);
    bufferevent_write(bev, "hello", 5);
    bufferevent_socket_connect(bev, (struct sockaddr *)&to, sizeof to);
  }
  return event_base_dispatch(base);
}
