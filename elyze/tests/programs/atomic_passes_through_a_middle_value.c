// Other handlers of a serial program never see the value between two stores of one invocation.
// CONFLICT always: on_work on_work: busy
// CONFLICT always: on_work on_look: busy
// SAFE: on_look on_look
#include "server.h"

static atomic_int busy;
static atomic_int seen;

HANDLER(on_work) {
  UNUSED;
  atomic_store(&busy, 1);
  for (volatile int i = 0; i < 1000; i++) continue;
  atomic_store(&busy, 0);
}

HANDLER(on_look) {
  UNUSED;
  if (atomic_load(&busy)) seen++;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_work, NULL);
  when_readable(4, on_look, NULL);
  return event_base_dispatch(base);
}
