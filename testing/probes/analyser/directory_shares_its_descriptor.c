// A directory stream keeps its place in the open file that the program has a descriptor of.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
#include <dirent.h>
#include "server.h"
static DIR* stream;
static int place;
HANDLER(on_a) {
  UNUSED;
  struct dirent* first = readdir(stream);
  if (first != NULL) printf("%s\n", first->d_name);
}
HANDLER(on_b) {
  UNUSED;
  lseek(place, 0, SEEK_SET);
}

int main(void) {
  base = event_base_new();
  place = open("/srv", O_RDONLY | O_DIRECTORY);
  stream = fdopendir(place);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
