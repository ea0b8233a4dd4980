// evbuffer_add_reference() copies nothing: whoever takes the bytes out of the buffer reads the original.
// CONFLICT session: on_take on_take: client->buffer
// CONFLICT always: on_take on_reload: page
// CONFLICT always: on_reload on_reload: page
#include <event2/buffer.h>

#include "server.h"

struct client {
  struct evbuffer* buffer;
  char out[64];
};

static char page[64];

HANDLER(on_take) {
  UNUSED;
  struct client* client = arg;
  evbuffer_remove(client->buffer, client->out, sizeof client->out);
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
    evbuffer_add_reference(client->buffer, page, sizeof page, NULL, NULL);
    when_readable(fd, on_take, client);
  }
  when_readable(9, on_reload, NULL);
  return event_base_dispatch(base);
}
