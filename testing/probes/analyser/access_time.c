// CONFLICT always: on_a on_b: x
/* unread mail: mtime > atime; A reads both boxes, B counts the unread ones */
#include "server.h"
#include <sys/stat.h>
static int f1, f2, unread;
HANDLER(on_a) {
  UNUSED;
  char c;
  pread(f1, &c, 1, 0);
  pread(f2, &c, 1, 0);
}
HANDLER(on_b) {
  UNUSED;
  struct stat s, t;
  fstat(f1, &s);
  fstat(f2, &t);
  unread = (s.st_mtime > s.st_atime) + (t.st_mtime > t.st_atime);
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();
  f1 = open("box1", O_RDONLY);
  f2 = open("box2", O_RDONLY);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
