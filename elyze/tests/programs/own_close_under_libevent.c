// CONFLICT always: on_a on_a: closed
// CONFLICT always: on_a on_b: closed
// CONFLICT always: on_b on_b: m
// evutil_closesocket() finds the program's own close(), and so does the loop.
#include "server.h"
#include <event2/util.h>
static int closed, m;
int close(int f) {
  closed++;
  return shutdown(f, 2);
}
HANDLER(on_a) {
  UNUSED;
  evutil_closesocket(accept(5, 0, 0));
}
HANDLER(on_b) {
  UNUSED;
  int k = closed;
  m = k + closed;
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
