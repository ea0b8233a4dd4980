// closedir() closes the descriptor that the stream was made of.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
#include <dirent.h>
#include "server.h"
static DIR* stream;
static int place;
HANDLER(on_a) {
  UNUSED;
  closedir(stream);
}
HANDLER(on_b) {
  UNUSED;
  if (fchdir(place) || fchdir(place)) abort();
}

int main(void) {
  base = event_base_new();
  place = open("/srv", O_RDONLY | O_DIRECTORY);
  stream = fdopendir(place);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
