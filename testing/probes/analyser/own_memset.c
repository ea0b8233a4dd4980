// CONFLICT always: on_a on_b: x
/* a structure is cleared by the program's own memset() */
#include "server.h"

static int clears, n, m;
struct s {
  char b[4096];
};
void* memset(void* d, int c, size_t k) {
  clears++;
  char* p = d;
  while (k--) {
    *p++ = c;
    __asm__ volatile("");
  }
  return d;
}
HANDLER(on_a) {
  UNUSED;
  struct s b = {{0}};
  n += b.b[9];
}
HANDLER(on_b) {
  UNUSED;
  int k = clears;
  m = k + clears;
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
