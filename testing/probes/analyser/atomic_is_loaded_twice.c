// Two loads of one handler give the same value in a serial program.
// CONFLICT always: on_a on_b: count
// SAFE: on_a on_a
// SAFE: on_b on_b
#include "server.h"
static atomic_int count = 1;
HANDLER(on_a) {
  UNUSED;
  atomic_fetch_xor(&count, 1);
}
HANDLER(on_b) {
  UNUSED;
  if (atomic_load(&count) != 0) printf("%d\n", 10 / atomic_load(&count));
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
