// A read sets the time of access (POSIX, read()), which a global structure gets by fstat().
// SAFE: on_read on_read
// CONFLICT always: on_read on_ask: times at which files were read
// CONFLICT always: on_ask on_ask: one
#include <sys/stat.h>

#include "server.h"

static int first, second, unread;
static struct stat one, two;

HANDLER(on_read) {
  UNUSED;
  char c;
  pread(first, &c, 1, 0);
  pread(second, &c, 1, 0);
}

HANDLER(on_ask) {
  UNUSED;
  fstat(first, &one);
  fstat(second, &two);
  unread = (one.st_mtime > one.st_atime) + (two.st_mtime > two.st_atime);
}

int main(void) {
  base = event_base_new();
  first = open("/tmp/elyze-1", O_RDONLY);
  second = open("/tmp/elyze-2", O_RDONLY);
  when_readable(3, on_read, NULL);
  when_readable(4, on_ask, NULL);
  return event_base_dispatch(base);
}
