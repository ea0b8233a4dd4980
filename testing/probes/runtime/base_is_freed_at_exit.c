// possible: (work\n)?bye\n=1
#include "p.h"
static void bye(void) {
  event_base_free(base);
  puts("bye");
}
HANDLER(on_work) {
  UNUSED;
  take(100);
  fputs("work\n", stderr);
}
HANDLER(on_a) {
  UNUSED;
  take(50);
  exit(1);
}
int main(void) {
  atexit(bye);
  base = event_base_new();
  due(base, on_work, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
