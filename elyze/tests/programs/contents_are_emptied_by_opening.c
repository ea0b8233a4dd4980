// O_TRUNC and the mode w write, before anything is written.
// CONFLICT always: on_empty on_empty: contents of spool
// CONFLICT always: on_empty on_size: contents of spool
// CONFLICT always: on_again on_size: contents of spool
// CONFLICT always: on_again on_again: contents of spool
// CONFLICT always: on_again on_empty: contents of spool
// SAFE: on_size on_size
#include <sys/stat.h>

#include "server.h"

static void emptied(const char *path) { close(open(path, O_WRONLY | O_TRUNC)); }

HANDLER(on_empty) {
  UNUSED;
  emptied("/var/spool");
}

HANDLER(on_again) {
  UNUSED;
  FILE *file = fopen("/var/spool", "w");
  if (file != NULL) fclose(file);
}

HANDLER(on_size) {
  UNUSED;
  struct stat about;
  int file = open("/var/spool", O_RDONLY);
  if (fstat(file, &about) == 0) printf("%ld\n", (long)about.st_size);
  close(file);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_empty, NULL);
  when_readable(4, on_again, NULL);
  when_readable(5, on_size, NULL);
  return event_base_dispatch(base);
}
