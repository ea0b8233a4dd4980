// The stream is opened once and every session leads to it: one record per invocation needs no order.
// SAFE: on_read on_read
#include "server.h"

struct context { FILE *log; };
struct client { struct context *context; };

HANDLER(on_read) {
  struct client *client = arg;
  UNUSED;
  fprintf(client->context->log, "%d\n", fd);
}

int main(void) {
  base = event_base_new();
  struct context *context = malloc(sizeof *context);
  context->log = fopen("/srv/log", "a");
  for (int i = 0; i < 2; i++) {
    struct client *client = malloc(sizeof *client);
    client->context = context;
    when_readable(3 + i, on_read, client);
  }
  return event_base_dispatch(base);
}
