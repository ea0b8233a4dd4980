// Local socket makes a name.
// CONFLICT always: on_a on_b: directory entry of box
#include "server.h"
#include <sys/un.h>
static long g;
static int s;
HANDLER(on_a) {
  UNUSED;
  struct sockaddr_un a = {.sun_family = AF_UNIX, .sun_path = "box"};
  bind(s, (struct sockaddr *)&a, sizeof a);
}
HANDLER(on_b) {
  UNUSED;
  g += access("box", F_OK);
}
int main(void) {
  base = event_base_new();
  s = socket(AF_UNIX, SOCK_STREAM, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
