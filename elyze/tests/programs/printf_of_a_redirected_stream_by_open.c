// Standard output is closed and a file opened, which gets the lowest number: 1.
// CONFLICT always: on_a on_b: contents of log
// SAFE: on_a on_a
// SAFE: on_b on_b
#include "server.h"
HANDLER(on_a) {
  UNUSED;
  printf("hello\n");
}
HANDLER(on_b) {
  UNUSED;
  char bytes[2];
  int file = open("/srv/log", O_RDONLY);
  if (read(file, bytes, 1) == 1 && read(file, bytes + 1, 1) == 1 && bytes[0] == bytes[1]) abort();
  close(file);
}

int main(void) {
  base = event_base_new();
  setvbuf(stdout, NULL, _IONBF, 0);
  close(STDOUT_FILENO);
  if (open("/srv/log", O_WRONLY | O_APPEND) != STDOUT_FILENO) return 1;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
