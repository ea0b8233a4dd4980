// Without a buffer (setvbuf(3)) puts() writes the text and the end of its line one after the other; one fputs() is one
// write. Two calls on one stream have its lock.
// SAFE: on_puts on_puts
// SAFE: on_puts on_fputs
// CONFLICT always: on_puts on_error: what 0, 1 and 2 lead to
// SAFE: on_fputs on_fputs
// SAFE: on_fputs on_error
// SAFE: on_error on_error
#include "server.h"

HANDLER(on_puts) {
  UNUSED;
  puts("line");
}

HANDLER(on_fputs) {
  UNUSED;
  fputs("line\n", stdout);
}

HANDLER(on_error) {
  UNUSED;
  fputs("error\n", stderr);
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  base = event_base_new();
  when_readable(3, on_puts, NULL);
  when_readable(4, on_fputs, NULL);
  when_readable(5, on_error, NULL);
  return event_base_dispatch(base);
}
