// A directory may be replaced while nothing is in it (rename(2), ENOTEMPTY), by whatever path its entries were made. In a
// serial run it has one whenever on_replace asks.
// CONFLICT always: on_empty on_empty: directory entry of entry
// CONFLICT always: on_empty on_replace: directory entry of entry
// CONFLICT always: on_replace on_replace: directory entry of second
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "server.h"

static int directory;

HANDLER(on_empty) {
  UNUSED;
  if (unlinkat(directory, "entry", 0) == 0) close(openat(directory, "entry", O_CREAT | O_WRONLY, 0600));
}

HANDLER(on_replace) {
  UNUSED;
  if (rename("/tmp/first", "/tmp/second") == 0) abort();
}

int main(void) {
  base = event_base_new();
  directory = open("/tmp/second", O_DIRECTORY);
  when_readable(3, on_empty, NULL);
  when_readable(4, on_replace, NULL);
  return event_base_dispatch(base);
}
