// CONFLICT always: on_a on_a: copies
// CONFLICT always: on_a on_b: copies
// CONFLICT always: on_b on_b: n
// The assignment of a structure is a call of memcpy(), which is the program's own.
#include "server.h"

static int copies, n;
struct s {
  char b[4096];
};
static struct s big, other;
void* memcpy(void* restrict d, const void* restrict f, size_t k) {
  copies++;
  char* p = d;
  const char* q = f;
  while (k--) {
    *p++ = *q++;
    __asm__ volatile("");
  }
  return d;
}
HANDLER(on_a) {
  UNUSED;
  big = other;
}
HANDLER(on_b) {
  UNUSED;
  int k = copies;
  n = k + copies;
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
