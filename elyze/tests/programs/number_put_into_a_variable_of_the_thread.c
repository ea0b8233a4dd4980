// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b: n
// PINNED: on_a by kept
// ANY THREAD: on_b
// A variable of the thread is written by its distance from %fs, as a number.
#include "server.h"

static int n;
static __thread long kept[4];

HANDLER(on_a) {
  UNUSED;
  ++*(int*)kept[0];
}

HANDLER(on_b) {
  UNUSED;
  n++;
}

int main(void) {
  base = event_base_new();
  long distance = (char*)kept - (char*)__builtin_thread_pointer();
  *(long __attribute__((address_space(257)))*)distance = (long)&n;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
