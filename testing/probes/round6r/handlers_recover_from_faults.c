// possible: (recovered\n){3}=0
#include "p.h"
static sigjmp_buf out;
static int* nothing;
static void on_fault(int n) { (void)n; siglongjmp(out, 1); }
HANDLER(on_a) { UNUSED; if (sigsetjmp(out, 1) == 0) *(volatile int*)nothing = 1; puts("recovered"); }
HANDLER(work) { UNUSED; take(50); }
int main(void) {
  signal(SIGSEGV, on_fault);
  base = event_base_new();
  due(base, work, NULL);
  for (int i = 0; i < 3; ++i) due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
