// event_base_foreach_event() hands out each event, and with it each session.
// IMPRECISE: on_client on_client: session
// CONFLICT always: on_client on_report: client->requests
// CONFLICT always: on_report on_report: stream stdout
#include "server.h"

struct client {
  long requests;
};

HANDLER(on_client) {
  UNUSED;
  struct client* client = arg;
  client->requests++;
}

static int show(const struct event_base* of, const struct event* event, void* arg) {
  (void)of, (void)arg;
  const struct client* client = event_get_callback_arg(event);
  if (client != NULL) printf("%ld\n", client->requests);
  return 0;
}

HANDLER(on_report) {
  UNUSED;
  event_base_foreach_event(base, show, NULL);
}

int main(void) {
  base = event_base_new();
  for (int fd = 3; fd < 5; fd++) when_readable(fd, on_client, calloc(1, sizeof(struct client)));
  when_readable(9, on_report, NULL);
  return event_base_dispatch(base);
}
