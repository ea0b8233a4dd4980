// CONFLICT always: on_a on_b: a program that is not PIE has addresses of 32 bits; setlogmask keeps one and returns it
// Schedule: A takes n, B sets n and n back. (implementation-defined, but the compiler keeps the bits)
#include "server.h"
#include <syslog.h>
#include <stdint.h>
static int n;
HANDLER(on_a) {
  UNUSED;
  int* q = (int*)(uintptr_t)(unsigned)setlogmask(0);
  int x = *q;
  if (x != *(volatile int*)q) abort();
}
HANDLER(on_b) {
  UNUSED;
  n = 1;
  *(volatile int*)&n = 2;
}
int main(void) {
  base = event_base_new();
  setlogmask((int)(uintptr_t)&n);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
