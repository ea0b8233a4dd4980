// A descriptor is a socket, or whatever number the command line gives: then it may be a file.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b: contents
// SAFE: on_b on_b
#include "server.h"
static int out;
HANDLER(on_a) {
  UNUSED;
  if (pwrite(out, "x", 1, 0) != 1) abort();
}
HANDLER(on_b) {
  UNUSED;
  char byte;
  int file = open("/srv/x", O_RDONLY);
  if (read(file, &byte, 1) == 1) printf("%c\n", byte);
  close(file);
}
int main(int argc, char** argv) {
  base = event_base_new();
  out = argc > 1 ? atoi(argv[1]) : socket(AF_INET, SOCK_STREAM, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
