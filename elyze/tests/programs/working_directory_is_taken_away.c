// rmdir() of the working directory takes it from every relative path, and asks whether it is empty.
// CONFLICT always: on_entry on_entry: directory entry of entry
// CONFLICT always: on_entry on_take: working directory
// CONFLICT always: on_take on_take: working directory
#include <stdlib.h>
#include <sys/stat.h>

#include "server.h"

HANDLER(on_entry) {
  UNUSED;
  if (unlink("entry") == 0) close(open("entry", O_CREAT | O_WRONLY, 0600));
}

HANDLER(on_take) {
  UNUSED;
  if (rmdir("/tmp/here") == 0) abort();
}

int main(void) {
  base = event_base_new();
  chdir("/tmp/here");
  when_readable(3, on_entry, NULL);
  when_readable(4, on_take, NULL);
  return event_base_dispatch(base);
}
