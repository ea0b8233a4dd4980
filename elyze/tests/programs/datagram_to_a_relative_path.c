// The path of a datagram's address begins at the working directory.
// CONFLICT always: on_move on_send: working directory
// CONFLICT always: on_move on_message: working directory
#include "server.h"
#include <sys/un.h>
static int there, home, from;
static struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "log.sock"};
HANDLER(on_move) {
  UNUSED;
  fchdir(there);
  fchdir(home);
}
HANDLER(on_send) {
  UNUSED;
  sendto(from, "a", 1, MSG_DONTWAIT, (struct sockaddr*)&address, sizeof address);
}
HANDLER(on_message) {
  UNUSED;
  struct iovec part = {"b", 1};
  struct msghdr message = {.msg_name = &address, .msg_namelen = sizeof address, .msg_iov = &part, .msg_iovlen = 1};
  sendmsg(from, &message, MSG_DONTWAIT);
}
int main(void) {
  base = event_base_new();
  there = open("/tmp", O_RDONLY);
  home = open(".", O_RDONLY);
  from = socket(AF_UNIX, SOCK_DGRAM, 0);
  when_readable(3, on_move, NULL);
  when_readable(4, on_send, NULL);
  when_readable(5, on_message, NULL);
  return event_base_dispatch(base);
}
