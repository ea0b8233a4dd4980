// bufferevent_getcb() hands out the callbacks and the session of whoever they belong to.
// IMPRECISE: on_read on_read: session
// CONFLICT always: on_read on_audit: client->bytes
// SAFE: on_audit on_audit
#include <event2/buffer.h>
#include <event2/bufferevent.h>

#include "server.h"

struct client {
  long bytes;
};

static struct bufferevent* last;

static void on_read(struct bufferevent* bev, void* arg) {
  (void)bev;
  struct client* client = arg;
  client->bytes++;
}

HANDLER(on_audit) {
  UNUSED;
  bufferevent_data_cb reader = NULL;
  void* owner = NULL;
  bufferevent_getcb(last, &reader, NULL, NULL, &owner);
  if (reader == on_read) printf("%ld\n", ((struct client*)owner)->bytes);
}

int main(void) {
  base = event_base_new();
  for (int fd = 3; fd < 5; fd++) {
    last = bufferevent_socket_new(base, fd, 0);
    bufferevent_setcb(last, on_read, NULL, NULL, calloc(1, sizeof(struct client)));
    bufferevent_enable(last, EV_READ);
  }
  when_readable(9, on_audit, NULL);
  return event_base_dispatch(base);
}
