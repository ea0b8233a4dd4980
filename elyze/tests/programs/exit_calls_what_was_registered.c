// A handler that ends the process runs the functions of atexit(), beside whatever the others do.
// CONFLICT always: on_quit on_client: saved
// CONFLICT always: on_quit on_quit: saved
// CONFLICT always: on_client on_client: saved
#include "server.h"

static int saved;

static void save(void) { saved = 0; }

HANDLER(on_quit) {
  UNUSED;
  exit(1);
}

HANDLER(on_client) {
  UNUSED;
  saved++;
}

int main(void) {
  atexit(save);
  base = event_base_new();
  when_readable(3, on_quit, NULL);
  when_readable(4, on_client, NULL);
  return event_base_dispatch(base);
}
