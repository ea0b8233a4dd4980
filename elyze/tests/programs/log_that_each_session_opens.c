// Each session has a stream of its own for one file: their records have no lock in common.
// CONFLICT always: on_read on_read: contents of log
#include "server.h"

struct client { FILE *log; };

HANDLER(on_read) {
  struct client *client = arg;
  UNUSED;
  fprintf(client->log, "%d\n", fd);
}

int main(void) {
  base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct client *client = malloc(sizeof *client);
    client->log = fopen("/srv/log", "r+");
    when_readable(3 + i, on_read, client);
  }
  return event_base_dispatch(base);
}
