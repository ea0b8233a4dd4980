// Two calls of a pure function give one result in each serial run, and two where somebody writes between them.
// CONFLICT always: on_check on_check: differs
// CONFLICT always: on_check on_count: count
// CONFLICT always: on_count on_count: count
#include "server.h"

static int count, differs;
static int get(void) __attribute__((pure, noinline));
static int get(void) { return count; }

HANDLER(on_check) {
  UNUSED;
  if (get() != get()) differs++;
}

HANDLER(on_count) {
  UNUSED;
  count++;
}

int main(void) {
  base = event_base_new();

  when_readable(3, on_check, NULL);
  when_readable(4, on_count, NULL);
  return event_base_dispatch(base);
}
