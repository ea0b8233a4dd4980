// CONFLICT always: on_a on_a: locked memory
// CONFLICT always: on_a on_b: locked memory
// CONFLICT always: on_b on_b: locked memory
/* RLIMIT_MEMLOCK: two locks at once are too many, one after the other are not */
#include "server.h"
#include <sys/mman.h>
static int n, m;
HANDLER(on_a) {
  UNUSED;
  void* p = mmap(0, 40960, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  n = mlock(p, 40960);
  munmap(p, 40960);
}
HANDLER(on_b) {
  UNUSED;
  void* p = mmap(0, 40960, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  m = mlock(p, 40960);
  munmap(p, 40960);
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
