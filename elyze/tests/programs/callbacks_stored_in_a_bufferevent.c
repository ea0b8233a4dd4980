/* Old programs fill the fields of struct bufferevent themselves; the loop calls what stands there. */
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/bufferevent_struct.h>

#include "server.h"

struct client {
  struct bufferevent *stream;
  int bytes;
};

static int errors;

static void on_data(struct bufferevent *stream, void *arg) {
  struct client *client = arg;
  client->bytes += (int)evbuffer_get_length(bufferevent_get_input(stream));
}

static void on_failure(struct bufferevent *stream, short what, void *arg) {
  (void)stream, (void)what, (void)arg;
  errors++;
}

static void serve(int fd) {
  struct client *client = calloc(1, sizeof *client);
  client->stream = bufferevent_socket_new(base, fd, 0);
  client->stream->readcb = on_data;
  client->stream->errorcb = on_failure;
  client->stream->cbarg = client;
  bufferevent_enable(client->stream, EV_READ);
}

int main(void) {
  base = event_base_new();
  serve(3);
  serve(4);
  return event_base_dispatch(base);
}
// CONFLICT session: on_data on_data: client->bytes
// CONFLICT always: on_failure on_failure: errors
// SAFE: on_data on_failure
