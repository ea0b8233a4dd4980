/* For a while the process is another user; whoever opens a file meanwhile opens it as that one. */
#include "server.h"

HANDLER(on_a) {
  UNUSED;
  if (seteuid(1000)) abort();
  close(open("/srv/mail/x", O_RDONLY));
  if (seteuid(0)) abort();
}

HANDLER(on_b) {
  UNUSED;
  char byte;
  int file = open("/etc/key", O_RDONLY);
  if (file < 0 || read(file, &byte, 1) != 1) abort();
  close(file);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
// CONFLICT always: on_a on_b: identity of the process
// CONFLICT always: on_a on_a
// SAFE: on_b on_b
