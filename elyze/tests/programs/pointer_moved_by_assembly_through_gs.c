// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b: n
// ANY THREAD: on_b
// Assembly that names a segment register keeps pointers there, whatever its constraints say.
#define _GNU_SOURCE
#include <sys/syscall.h>

#include "server.h"

static int n;
static long area[64];

HANDLER(on_a) {
  UNUSED;
  int* p;
  __asm__ volatile("movq %%gs:16, %0" : "=r"(p));
  ++*p;
}

HANDLER(on_b) {
  UNUSED;
  n++;
}

int main(void) {
  base = event_base_new();
  syscall(158, 0x1001, area);
  __asm__ volatile("movq %0, %%gs:16" ::"r"(&n));
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
