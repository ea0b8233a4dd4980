// A compare-and-swap stores only if nobody has written since the load.
// SAFE: on_peak on_peak
// SAFE: on_peak on_look
// SAFE: on_look on_look
#include "server.h"

static atomic_int peak;

static void raise_to(atomic_int *highest, int value) {
  int now = atomic_load(highest);
  while (now < value && !atomic_compare_exchange_weak(highest, &now, value)) continue;
}

HANDLER(on_peak) {
  UNUSED;
  raise_to(&peak, fd);
}

HANDLER(on_look) {
  UNUSED;
  printf("%d\n", atomic_load(&peak));
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_peak, NULL);
  when_readable(4, on_look, NULL);
  return event_base_dispatch(base);
}
