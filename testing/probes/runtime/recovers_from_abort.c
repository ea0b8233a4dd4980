// possible: recovered\nlater\n=0
// C17 7.22.4.1: abort() does not end the program if the signal's function does not return.
#include "p.h"
static sigjmp_buf back;
static void on_abort(int n) {
  (void)n;
  siglongjmp(back, 1);
}
HANDLER(on_a) {
  UNUSED;
  if (sigsetjmp(back, 1) == 0) abort();
  puts("recovered");
}
HANDLER(on_later) {
  UNUSED;
  puts("later");
}
int main(void) {
  struct sigaction a = {.sa_handler = on_abort};
  sigaction(SIGABRT, &a, NULL);
  base = event_base_new();
  due(base, spare, NULL);
  due(base, on_a, NULL);
  due_in(50, on_later, NULL);
  event_base_dispatch(base);
  return 0;
}
