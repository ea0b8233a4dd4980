// An indirect function of the linker: which of two runs is chosen by its resolver, and either may.
// CONFLICT always: on_call on_call: hits
// CONFLICT always: on_call on_pointer: hits
// CONFLICT always: on_call on_show: hits
// CONFLICT always: on_pointer on_pointer: hits
// CONFLICT always: on_pointer on_show: hits
// SAFE: on_show on_show
#include "server.h"

static int hits;

static void fast(void) { hits++; }

static void slow(void) { hits += 2; }

static int quick = 1;

static void (*choose(void))(void) { return quick ? fast : slow; }

void hit(void) __attribute__((ifunc("choose")));

static void (*const how)(void) = hit;

HANDLER(on_call) {
  UNUSED;
  hit();
}

HANDLER(on_pointer) {
  UNUSED;
  how();
}

HANDLER(on_show) {
  UNUSED;
  printf("%d\n", hits);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_call, NULL);
  when_readable(4, on_pointer, NULL);
  when_readable(5, on_show, NULL);
  return event_base_dispatch(base);
}
