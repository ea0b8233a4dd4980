// While a socket is made anew, its path is missing for a moment.
// CONFLICT always: on_a on_b: directory entry of log.sock
#include "server.h"
#include <sys/un.h>
static int out, gone;
HANDLER(on_a) {
  UNUSED;
  unlink("log.sock");
  rename("log.sock.new", "log.sock");
}
HANDLER(on_b) {
  UNUSED;
  struct sockaddr_un a = {.sun_family = AF_UNIX, .sun_path = "log.sock"};
  if (sendto(out, "x", 1, 0, (struct sockaddr*)&a, sizeof a) != 1) ++gone;
}
int main(void) {
  base = event_base_new();
  out = socket(AF_UNIX, SOCK_DGRAM, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  event_base_dispatch(base);
}
