// A program that main has started gave the file a second name (ln(1)).
// CONFLICT always: on_put on_get: contents of some file
// CONFLICT always: on_put on_put: contents of some file
// SAFE: on_get on_get
#include "server.h"

static int out;

HANDLER(on_put) {
  UNUSED;
  if (write(out, "a", 1) + write(out, "b", 1) != 2) abort();
}

HANDLER(on_get) {
  UNUSED;
  char text[8];
  int in = open("/tmp/elyze-second", O_RDONLY);
  if (read(in, text, 8) < 0) abort();
  close(in);
}

int main(void) {
  base = event_base_new();
  out = open("/tmp/elyze-first", O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (system("ln -f /tmp/elyze-first /tmp/elyze-second") != 0) abort();
  when_readable(3, on_put, NULL);
  when_readable(4, on_get, NULL);
  return event_base_dispatch(base);
}
