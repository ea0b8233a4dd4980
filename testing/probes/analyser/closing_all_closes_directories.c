// closefrom() closes the descriptor of a directory stream, too.
// CONFLICT always: on_a on_b
// CONFLICT always: on_a on_a
// CONFLICT always: on_b on_b
#define _GNU_SOURCE
#include <dirent.h>
#include "server.h"
static DIR* stream;
HANDLER(on_a) {
  UNUSED;
  closefrom(3);
}
HANDLER(on_b) {
  UNUSED;
  if (readdir(stream) == NULL) abort();
}

int main(void) {
  base = event_base_new();
  stream = opendir("/srv");
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
