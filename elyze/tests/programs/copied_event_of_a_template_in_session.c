// Sessions are copies of one template, event and all, and put themselves where the template's argument stands.
// CONFLICT session: on_a on_a
// CONFLICT session: on_a on_b
// CONFLICT session: on_b on_b
#include "server.h"
struct client {
  struct event event;
  long hits;
};
HANDLER(on_a) {
  struct client *client = arg;
  (void)fd, (void)what;
  client->hits++;
}
HANDLER(on_b) {
  struct client *client = arg;
  (void)fd, (void)what;
  client->hits--;
}
int main(void) {
  struct client template = {.hits = 1};
  base = event_base_new();
  event_assign(&template.event, base, -1, EV_READ | EV_PERSIST, on_a, NULL);
  for (int i = 3; i < 9; i += 2) {
    struct client *client = malloc(sizeof *client);
    *client = template;
    client->event.ev_fd = i;
    client->event.ev_evcallback.evcb_arg = client;
    event_add(&client->event, NULL);
    when_readable(i + 1, on_b, client);
  }
  return event_base_dispatch(base);
}
