// Input on an unbuffered stream writes out what waits in line buffered ones (C17 7.21.3).
// CONFLICT always: on_input on_input: *in
// CONFLICT always: on_input on_write: what 0, 1 and 2 lead to
// CONFLICT always: on_write on_write: what 0, 1 and 2 lead to
#include "server.h"

static FILE* in;

HANDLER(on_input) {
  UNUSED;
  char t[8];
  fgets(t, 8, in);
}

HANDLER(on_write) {
  UNUSED;
  write(1, "x", 1);
  write(1, "y", 1);
}

int main(void) {
  base = event_base_new();
  in = fdopen(dup(5), "r");
  setvbuf(in, NULL, _IONBF, 0);
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
  printf("prompt: ");
  when_readable(3, on_input, NULL);
  when_readable(4, on_write, NULL);
  return event_base_dispatch(base);
}
