// CONFLICT always: on_a on_a: x
// CONFLICT always: on_a on_b: what watch may see half done
// CONFLICT always: on_b on_b: y
// clone(2) without a spec, in the same memory.
#define _GNU_SOURCE
#include <sched.h>

#include "server.h"

static atomic_flag taken;
static int x, y, half;
static char stack[65536];
static void set(int* p, int v) {
  while (atomic_flag_test_and_set(&taken)) continue;
  *p = v;
  atomic_flag_clear(&taken);
}
static int watch(void* p) {
  (void)p;
  while (atomic_flag_test_and_set(&taken)) continue;
  half += x == 1 && y == 1;
  atomic_flag_clear(&taken);
  return 0;
}

HANDLER(on_a) {
  UNUSED;
  set(&x, 1);
  set(&x, 2);
}

HANDLER(on_b) {
  UNUSED;
  set(&y, 1);
  set(&y, 2);
}

int main(void) {
  base = event_base_new();
  clone(watch, stack + sizeof stack, CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD, NULL);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
