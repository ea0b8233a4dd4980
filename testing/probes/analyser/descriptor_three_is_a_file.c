// A log is put at a number of the program's own choice.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b: contents of log
// SAFE: on_b on_b
#include "server.h"
HANDLER(on_a) {
  UNUSED;
  if (pwrite(9, "xy", 2, 0) != 2) abort();
}
HANDLER(on_b) {
  UNUSED;
  char bytes[2];
  int file = open("/srv/log", O_RDONLY);
  if (read(file, bytes, 1) == 1 && read(file, bytes + 1, 1) == 1) printf("%.2s\n", bytes);
  close(file);
}

int main(void) {
  base = event_base_new();
  dup2(open("/srv/log", O_RDWR), 9);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
