// CONFLICT always: on_a on_a: limits of the process
// CONFLICT always: on_a on_b: limits of the process
// CONFLICT always: on_b on_b: m
/* ENOMEM: RLIMIT_AS */
#include "server.h"
#include <sys/resource.h>
#include <sys/mman.h>
static int m;
HANDLER(on_a) {
  UNUSED;
  struct rlimit l, o;
  getrlimit(RLIMIT_AS, &l);
  o = l;
  l.rlim_cur = 1;
  setrlimit(RLIMIT_AS, &l);
  setrlimit(RLIMIT_AS, &o);
}
HANDLER(on_b) {
  UNUSED;
  m = mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
