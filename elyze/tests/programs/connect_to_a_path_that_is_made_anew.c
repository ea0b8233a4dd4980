// While a socket is made anew, its path is missing for a moment.
// CONFLICT always: on_a on_b: directory entry of log.sock
#include "server.h"
#include <sys/un.h>
static int gone;
HANDLER(on_a) {
  UNUSED;
  unlink("log.sock");
  rename("log.sock.new", "log.sock");
}
HANDLER(on_b) {
  UNUSED;
  struct sockaddr_un a = {.sun_family = AF_UNIX, .sun_path = "log.sock"};
  int s = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(s, (struct sockaddr*)&a, sizeof a) != 0) ++gone;
  close(s);
}
int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  event_base_dispatch(base);
}
