// What one handler adds, another one writes out: that changes the file which the third reads in two steps.
// CONFLICT always: on_add on_read: contents of log
// CONFLICT always: on_flush on_read: contents of log
// SAFE: on_add on_add
// SAFE: on_add on_flush
// SAFE: on_flush on_flush
// SAFE: on_read on_read
#include "server.h"
static FILE* out;
HANDLER(on_add) {
  UNUSED;
  fputs("line\n", out);
}
HANDLER(on_flush) {
  UNUSED;
  fflush(out);
}
HANDLER(on_read) {
  UNUSED;
  char bytes[2] = {0, 0};
  int file = open("/srv/log", O_RDONLY);
  long size = lseek(file, 0, SEEK_END);
  if (pread(file, bytes, 1, size) == 1) abort();
  close(file);
}
int main(void) {
  base = event_base_new();
  out = fopen("/srv/log", "a");
  when_readable(3, on_add, NULL);
  when_readable(4, on_flush, NULL);
  when_readable(5, on_read, NULL);
  return event_base_dispatch(base);
}
