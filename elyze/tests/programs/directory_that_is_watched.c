// What is read from an inotify descriptor tells which entries were made since the last read (inotify(7)).
// CONFLICT always: on_make on_make: directory entry of second
// CONFLICT always: on_make on_change: directory entry of first
// CONFLICT always: on_change on_change: watch
// SAFE: on_make on_other
// SAFE: on_change on_other
// CONFLICT always: on_other on_other: others
#include <sys/inotify.h>

#include "server.h"

static int watch, others;

static void make(const char *path) {
  int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (fd >= 0) close(fd);
}

HANDLER(on_make) {
  UNUSED;
  make("/tmp/heddle/first");
  make("/tmp/heddle/second");
}

HANDLER(on_change) {
  UNUSED;
  char all[4096];
  if (read(watch, all, sizeof all) < 0) return;
}

HANDLER(on_other) {
  UNUSED;
  others++;
}

int main(void) {
  base = event_base_new();
  watch = inotify_init1(IN_NONBLOCK);
  inotify_add_watch(watch, "/tmp/heddle", IN_CREATE);
  when_readable(3, on_make, NULL);
  event_add(event_new(base, watch, EV_READ | EV_PERSIST, on_change, NULL), NULL);
  when_readable(4, on_other, NULL);
  return event_base_dispatch(base);
}
