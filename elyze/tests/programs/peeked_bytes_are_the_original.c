// evbuffer_peek() gives the place of bytes that the buffer only refers to.
// CONFLICT session: on_take on_take: client->sum
// CONFLICT always: on_take on_reload: page
// CONFLICT always: on_reload on_reload: page
#include <event2/buffer.h>

#include "server.h"

struct client {
  struct evbuffer* buffer;
  int sum;
};

static char page[64];

HANDLER(on_take) {
  UNUSED;
  struct client* client = arg;
  struct evbuffer_iovec piece[2];
  if (evbuffer_peek(client->buffer, -1, NULL, piece, 2) > 0) client->sum += *(const char*)piece[1].iov_base;
}

HANDLER(on_reload) {
  UNUSED;
  page[0]++;
}

int main(void) {
  base = event_base_new();
  for (int fd = 3; fd < 5; fd++) {
    struct client* client = calloc(1, sizeof *client);
    client->buffer = evbuffer_new();
    for (int i = 0; i < 2; i++) evbuffer_add_reference(client->buffer, page, sizeof page, NULL, NULL);
    when_readable(fd, on_take, client);
  }
  when_readable(9, on_reload, NULL);
  return event_base_dispatch(base);
}
