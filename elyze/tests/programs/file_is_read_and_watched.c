// File is read and watched.
// CONFLICT always: on_a on_b: directory entry of a
#include "server.h"
#include <sys/inotify.h>
static int w;
static long g;
HANDLER(on_a) {
  UNUSED;
  char text[4096];
  g += read(w, text, sizeof text);
}
HANDLER(on_b) {
  UNUSED;
  close(open("box/a", O_CREAT | O_WRONLY, 0600));
}
int main(void) {
  base = event_base_new();
  w = inotify_init1(IN_NONBLOCK);
  inotify_add_watch(w, "box", IN_CREATE);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
