// A timer is given a descriptor that the loop never waits for: it may be a regular file.
// CONFLICT always: on_tick on_tick
// CONFLICT always: on_tick on_b: contents
// SAFE: on_b on_b
#include "server.h"
HANDLER(on_tick) {
  (void)what, (void)arg;
  if (pwrite(fd, "x", 1, 0) != 1) abort();
}
HANDLER(on_b) {
  UNUSED;
  char byte;
  int file = open("/srv/x", O_RDONLY);
  if (read(file, &byte, 1) == 1) printf("%c\n", byte);
  close(file);
}
int main(int argc, char** argv) {
  static const struct timeval second = {1, 0};
  base = event_base_new();
  event_add(event_new(base, argc > 1 ? atoi(argv[1]) : -1, EV_PERSIST, on_tick, NULL), &second);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
