// A limit of the process is a number that the kernel keeps for the program.
// CONFLICT always: on_a on_a: item
// CONFLICT always: on_a on_b: item
// CONFLICT always: on_b on_b: item
#include <stdint.h>
#include <sys/resource.h>
#include "server.h"
struct item {
  long hits;
};
static struct item item;
static struct item* found;
HANDLER(on_a) {
  UNUSED;
  found->hits++;
}
HANDLER(on_b) {
  UNUSED;
  item.hits++;
}

int main(void) {
  base = event_base_new();
  struct rlimit limit = {(rlim_t)(uintptr_t)&item, RLIM_INFINITY}, now;
  setrlimit(RLIMIT_FSIZE, &limit);
  getrlimit(RLIMIT_FSIZE, &now);
  found = (struct item*)(uintptr_t)now.rlim_cur;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
