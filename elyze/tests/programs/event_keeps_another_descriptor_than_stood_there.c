// event_assign() puts the common descriptor into the event, over the session's own.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_log
// CONFLICT always: on_log on_log
#include "server.h"

struct client {
  int fd;
};

static int log_fd;

HANDLER(on_log) {
  UNUSED;
  if (send(log_fd, "b", 1, 0) < 0) return;
}

HANDLER(on_a) {
  UNUSED;
  struct client *client = arg;
  struct event event;
  event.ev_fd = client->fd;
  event_assign(&event, base, log_fd, 0, on_log, NULL);
  if (send(event.ev_fd, "a", 1, 0) < 0) return;
}

int main(void) {
  base = event_base_new();
  log_fd = socket(AF_INET, SOCK_STREAM, 0);
  for (int i = 0; i < 2; ++i) {
    struct client *client = calloc(1, sizeof *client);
    client->fd = socket(AF_INET, SOCK_STREAM, 0);
    when_readable(client->fd, on_a, client);
  }
  when_readable(log_fd, on_log, NULL);
  return event_base_dispatch(base);
}
