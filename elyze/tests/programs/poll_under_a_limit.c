// CONFLICT always: on_a on_a: limits of the process
// CONFLICT always: on_a on_b: limits of the process
// CONFLICT always: on_b on_b: n
/* EINVAL: more descriptors than RLIMIT_NOFILE */
#include "server.h"
#include <sys/resource.h>
#include <poll.h>
static int s, n;
HANDLER(on_a) {
  UNUSED;
  struct rlimit l, o;
  getrlimit(RLIMIT_NOFILE, &l);
  o = l;
  l.rlim_cur = 2;
  setrlimit(RLIMIT_NOFILE, &l);
  setrlimit(RLIMIT_NOFILE, &o);
}
HANDLER(on_b) {
  UNUSED;
  struct pollfd f[3] = {{s, POLLIN, 0}, {s, POLLOUT, 0}, {s, POLLPRI, 0}};
  n = poll(f, 3, 0);
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();
  s = socket(AF_INET, SOCK_DGRAM, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
