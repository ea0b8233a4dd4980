// Each session has opened the file for itself, and all write to the same one.
// CONFLICT always: on_write on_write: contents of journal
// CONFLICT always: on_write on_stat: contents of journal
// SAFE: on_stat on_stat
#include <sys/stat.h>

#include "server.h"

struct session {
  int file;
};

HANDLER(on_write) {
  UNUSED;
  struct session *s = arg;
  if (pwrite(s->file, "x", 1, 0) != 1) abort();
}

HANDLER(on_stat) {
  UNUSED;
  struct stat about;
  if (stat("/srv/journal", &about) == 0) printf("%ld\n", (long)about.st_size);
}

int main(void) {
  base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct session *s = calloc(1, sizeof *s);
    s->file = open("/srv/journal", O_RDWR);
    when_readable(3 + i, on_write, s);
  }
  when_readable(7, on_stat, NULL);
  return event_base_dispatch(base);
}
