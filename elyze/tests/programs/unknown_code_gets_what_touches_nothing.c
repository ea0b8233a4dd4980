// CONFLICT always: on_a on_a: a
// SAFE: on_a on_b
// SAFE: on_a on_c
// CONFLICT always: on_b on_b: b
// SAFE: on_b on_c
// SAFE: on_c on_c
// What the C library gets without a spec may be called at any time, and does nothing that handlers depend on.
#define _GNU_SOURCE
#include <signal.h>
#include <threads.h>

#include "server.h"

static int a, b;
static atomic_int ticks;
static void note(int s) {
  (void)s;
  atomic_fetch_add(&ticks, 1);
}
static int pass(void* p) {
  (void)p;
  return 0;
}

HANDLER(on_a) {
  UNUSED;
  a++;
}

HANDLER(on_b) {
  UNUSED;
  b++;
}

HANDLER(on_c) { UNUSED; }

int main(void) {
  base = event_base_new();
  thrd_t t;
  ssignal(SIGUSR1, note);
  thrd_create(&t, pass, NULL);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  when_readable(5, on_c, NULL);
  return event_base_dispatch(base);
}
