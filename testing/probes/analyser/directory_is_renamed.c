// A directory is replaced by another: a handler that opens two files in it must see both of one.
// CONFLICT always: on_a on_b
// CONFLICT always: on_a on_a
// SAFE: on_b on_b
#include "server.h"
HANDLER(on_a) {
  UNUSED;
  rename("/srv/current", "/srv/old");
  rename("/srv/next", "/srv/current");
}
HANDLER(on_b) {
  UNUSED;
  char a, b;
  int first = open("/srv/current/x", O_RDONLY), second = open("/srv/current/y", O_RDONLY);
  if (read(first, &a, 1) == 1 && read(second, &b, 1) == 1 && a != b) abort();
  close(first);
  close(second);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
