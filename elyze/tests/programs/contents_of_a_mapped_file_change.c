// A mapping of a file is what is in it: who writes the file under another descriptor changes the mapping.
// CONFLICT always: on_write on_write: contents of table
// CONFLICT always: on_write on_look: contents of table
// SAFE: on_look on_look
#include <sys/mman.h>

#include "server.h"

static const char *table;

HANDLER(on_write) {
  UNUSED;
  int file = open("/srv/table", O_WRONLY);
  if (pwrite(file, "x", 1, 0) != 1) abort();
  close(file);
}

HANDLER(on_look) {
  UNUSED;
  printf("%c\n", table[fd]);
}

int main(void) {
  base = event_base_new();
  int file = open("/srv/table", O_RDONLY);
  table = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
  when_readable(3, on_write, NULL);
  when_readable(4, on_look, NULL);
  return event_base_dispatch(base);
}
