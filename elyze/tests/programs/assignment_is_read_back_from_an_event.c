// event_get_assignment() hands out the argument of another event.
// CONFLICT session: on_read on_read: client->bytes
// CONFLICT always: on_read on_audit: client->bytes
// SAFE: on_audit on_audit
#include "server.h"

struct client {
  long bytes;
};

static struct event* last;

HANDLER(on_read) {
  UNUSED;
  struct client* client = arg;
  client->bytes++;
}

HANDLER(on_audit) {
  UNUSED;
  void* owner = NULL;
  event_get_assignment(last, NULL, NULL, NULL, NULL, &owner);
  printf("%ld\n", ((struct client*)owner)->bytes);
}

int main(void) {
  base = event_base_new();
  for (int fd = 3; fd < 5; fd++) {
    last = event_new(base, fd, EV_READ | EV_PERSIST, on_read, calloc(1, sizeof(struct client)));
    event_add(last, NULL);
  }
  when_readable(9, on_audit, NULL);
  return event_base_dispatch(base);
}
