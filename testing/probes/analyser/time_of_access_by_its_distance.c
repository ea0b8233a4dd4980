// A read sets the time of access (POSIX, read()), which the program finds by offsetof().
// IMPRECISE: on_read on_read: never
// CONFLICT always: on_read on_ask: times at which files were read
// CONFLICT always: on_ask on_ask: unread
#include <stddef.h>
#include <sys/stat.h>

#include "server.h"

static int first, second, unread;
static const struct {
  const char* name;
  size_t at;
} columns[] = {{"atime", offsetof(struct stat, st_atim)}, {"mtime", offsetof(struct stat, st_mtim)}};

HANDLER(on_read) {
  UNUSED;
  char c;
  pread(first, &c, 1, 0);
  pread(second, &c, 1, 0);
}

HANDLER(on_ask) {
  UNUSED;
  struct stat one, two;
  fstat(first, &one);
  fstat(second, &two);
  time_t *a = (time_t*)((char*)&one + columns[0].at), *b = (time_t*)((char*)&two + columns[0].at);
  unread = (*a > 5) + (*b > 5);
}

int main(void) {
  base = event_base_new();
  first = open("/tmp/elyze-1", O_RDONLY);
  second = open("/tmp/elyze-2", O_RDONLY);
  when_readable(3, on_read, NULL);
  when_readable(4, on_ask, NULL);
  return event_base_dispatch(base);
}
