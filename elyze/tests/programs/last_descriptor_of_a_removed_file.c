// IN_DELETE_SELF comes when the last descriptor of a file without a name is closed (inotify(7)).
// CONFLICT always: on_a on_a: file
// CONFLICT always: on_a on_b: file of watch
// CONFLICT always: on_b on_b: first
#include <sys/inotify.h>

#include "server.h"

static int watch, file;
static ssize_t first, second;

HANDLER(on_a) {
  UNUSED;
  close(file);
}

HANDLER(on_b) {
  UNUSED;
  char space[4096];
  first = read(watch, space, sizeof space);
  second = read(watch, space, sizeof space);
}

int main(void) {
  base = event_base_new();
  file = open("state.db", O_RDWR);
  watch = inotify_init1(IN_NONBLOCK);
  inotify_add_watch(watch, "state.db", IN_DELETE_SELF);
  unlink("state.db");
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
