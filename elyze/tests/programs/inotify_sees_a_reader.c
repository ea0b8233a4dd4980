// CONFLICT always: on_a on_a: file of in
// CONFLICT always: on_a on_b: file of in
// CONFLICT always: on_b on_b: file of in
/* IN_OPEN without IN_CLOSE */
#include "server.h"
#include <sys/inotify.h>
static int in;
static long n, m;
HANDLER(on_a) {
  UNUSED;
  int f = open("x", O_RDONLY);
  char c;
  n = read(f, &c, 1);
  close(f);
}
HANDLER(on_b) {
  UNUSED;
  char t[4096];
  m = read(in, t, sizeof t);
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();
  in = inotify_init1(IN_NONBLOCK);
  inotify_add_watch(in, "x", IN_OPEN | IN_CLOSE);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
