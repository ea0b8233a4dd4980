// A callee opens a stream on the descriptor of a new client and returns what leads to it. Whoever knows the result
// reads from the descriptor.
// CONFLICT always: on_accept on_accept: accepted
// CONFLICT always: on_accept on_use: client->stream
// CONFLICT always: on_use on_use: used
#include "server.h"

static int accepted, used;

struct client {
  long number;
  FILE *stream;
};

HANDLER(on_use) {
  UNUSED;
  struct client *client = arg;
  used++;
  if (client->stream != NULL && fgetc(client->stream) == EOF) return;
}

static struct client *make(int fd) {
  struct client *client = malloc(sizeof *client);
  client->number = 0;
  client->stream = fdopen(fd, "r");
  return client;
}

HANDLER(on_accept) {
  UNUSED;
  int news = accept(fd, NULL, NULL);
  struct client *client = make(news);
  when_readable(fd, on_use, client);
  accepted++;
  char bytes[8];
  if (read(news, bytes, sizeof bytes) < 0) return;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_accept, NULL);
  when_readable(4, on_accept, NULL);
  return event_base_dispatch(base);
}
