// CONFLICT always: on_a on_a: ea1
// CONFLICT always: on_a on_b: file of s1
// CONFLICT always: on_b on_b: eb1
/* SO_ERROR clears it: A gets the first one's, B the second's */
#include "server.h"

static int s1, s2, ea1, ea2, eb1, eb2;
HANDLER(on_a) {
  UNUSED;
  socklen_t l = sizeof ea1;
  getsockopt(s1, SOL_SOCKET, SO_ERROR, &ea1, &l);
  getsockopt(s2, SOL_SOCKET, SO_ERROR, &ea2, &l);
}
HANDLER(on_b) {
  UNUSED;
  socklen_t l = sizeof eb1;
  getsockopt(s1, SOL_SOCKET, SO_ERROR, &eb1, &l);
  getsockopt(s2, SOL_SOCKET, SO_ERROR, &eb2, &l);
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();
  s1 = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  s2 = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
