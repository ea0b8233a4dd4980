// Descriptor is sent by a message.
// CONFLICT: always: on_a on_b: socket
#define _GNU_SOURCE
#include "server.h"
#include <sys/socket.h>
static int s[2], f, got = -1;
HANDLER(on_a) {
  UNUSED;
  if (write(got, "a", 1) < 0) return;
}
HANDLER(on_b) {
  UNUSED;
  if (write(f, "b", 1) < 0) return;
}
int main(void) {
  base = event_base_new();
  socketpair(AF_UNIX, SOCK_STREAM, 0, s);
  f = socket(AF_INET, SOCK_STREAM, 0);
  union { char b[CMSG_SPACE(sizeof f)]; struct cmsghdr h; } u = {0};
  char c = 0;
  struct iovec v = {&c, 1};
  struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1, .msg_control = u.b, .msg_controllen = sizeof u.b};
  u.h = (struct cmsghdr){CMSG_LEN(sizeof f), SOL_SOCKET, SCM_RIGHTS};
  memcpy(CMSG_DATA(&u.h), &f, sizeof f);
  sendmsg(s[0], &m, 0);
  recvmsg(s[1], &m, 0);
  memcpy(&got, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof got);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
