// The function for SIGABRT counts and jumps back: abort() does not end the program.
// CONFLICT always: on_a on_b: count
// CONFLICT always: on_a on_a: count
// CONFLICT always: on_b on_b: count
#include <setjmp.h>
#include <signal.h>
#include "server.h"
static long count;
static sigjmp_buf back;
static void caught(int number) {
  (void)number;
  count++;
  siglongjmp(back, 1);
}
HANDLER(on_a) {
  UNUSED;
  if (sigsetjmp(back, 1) == 0) abort();
}
HANDLER(on_b) {
  UNUSED;
  count++;
}

int main(void) {
  base = event_base_new();
  signal(SIGABRT, caught);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
