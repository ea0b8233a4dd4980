// The function of SIGABRT jumps out of abort(), and the handler goes on.
#include <setjmp.h>

#include "small.h"

static sigjmp_buf back;
static void on_abort(int number) {
  (void)number;
  siglongjmp(back, 1);
}
HANDLER(on_work) {
  UNUSED;
  take(5);
}
HANDLER(on_abort_caught) {
  UNUSED;
  if (sigsetjmp(back, 1) == 0) abort();
  say("caught\n");
}
int main(void) {
  signal(SIGABRT, on_abort);
  base = event_base_new();
  for (int i = 0; i < 2; ++i) due(base, on_work, NULL);
  due(base, on_abort_caught, NULL);
  for (int i = 0; i < 2; ++i) due(base, on_work, NULL);
  event_base_dispatch(base);
  puts("end");
}
