// A limit of the process is lowered and restored; another handler opens a socket.
// CONFLICT always: on_a on_b: limits of the process
// CONFLICT always: on_a on_a
// SAFE: on_b on_b
#include <sys/resource.h>
#include "server.h"
HANDLER(on_a) {
  UNUSED;
  struct rlimit none = {0, 1024}, all = {1024, 1024};
  setrlimit(RLIMIT_NOFILE, &none);
  setrlimit(RLIMIT_NOFILE, &all);
}
HANDLER(on_b) {
  UNUSED;
  int made = socket(AF_INET, SOCK_STREAM, 0);
  if (made < 0) abort();
  close(made);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
