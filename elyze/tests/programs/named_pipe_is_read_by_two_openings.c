// What is read from a named pipe is gone for its other readers: in a serial run on_two has two neighbours.
// CONFLICT always: on_one on_one: file of first
// CONFLICT always: on_one on_two: contents of pipe
// CONFLICT always: on_two on_two: file of second
#include <stdlib.h>
#include <sys/stat.h>

#include "server.h"

static int first;
static int second;

HANDLER(on_one) {
  UNUSED;
  char letter;
  read(first, &letter, 1);
}

HANDLER(on_two) {
  UNUSED;
  char letters[2];
  if (read(second, letters, 1) == 1 && read(second, letters + 1, 1) == 1 && letters[1] != letters[0] + 1) abort();
}

int main(void) {
  base = event_base_new();
  mkfifo("/tmp/pipe", 0600);
  first = open("/tmp/pipe", O_RDWR | O_NONBLOCK);
  second = open("/tmp/pipe", O_RDONLY | O_NONBLOCK);
  when_readable(3, on_one, NULL);
  when_readable(4, on_two, NULL);
  return event_base_dispatch(base);
}
