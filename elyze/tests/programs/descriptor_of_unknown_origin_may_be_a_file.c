// A number from the command line may be the descriptor of any file.
// CONFLICT always: on_put on_put: contents of some file
// CONFLICT always: on_put on_get: contents of x
// SAFE: on_get on_get
#include "server.h"

static int out;

HANDLER(on_put) {
  UNUSED;
  if (pwrite(out, "x", 1, 0) != 1) abort();
}

HANDLER(on_get) {
  UNUSED;
  char byte;
  int file = open("/srv/x", O_RDONLY);
  if (read(file, &byte, 1) == 1) printf("%c\n", byte);
  close(file);
}

int main(int argc, char **argv) {
  base = event_base_new();
  out = argc > 1 ? atoi(argv[1]) : -1;
  when_readable(3, on_put, NULL);
  when_readable(4, on_get, NULL);
  return event_base_dispatch(base);
}
