// What fanotify_init() made tells what becomes of files (fanotify(7)).
// CONFLICT always: on_change on_change
// CONFLICT always: on_change on_write
// CONFLICT always: on_write on_write
#include <sys/fanotify.h>

#include "server.h"

static int watch;
static long told;

HANDLER(on_change) {
  UNUSED;
  char changes[4096];
  told = read(watch, changes, sizeof changes);
}

HANDLER(on_write) {
  UNUSED;
  const int file = open("watched", O_WRONLY);
  write(file, "a", 1);
  write(file, "b", 1);
  close(file);
}

int main(void) {
  base = event_base_new();
  watch = fanotify_init(0, O_RDONLY);
  fanotify_mark(watch, FAN_MARK_ADD, FAN_MODIFY, AT_FDCWD, "watched");
  when_readable(watch, on_change, NULL);
  when_readable(4, on_write, NULL);
  return event_base_dispatch(base);
}
