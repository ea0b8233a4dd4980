// possible: asked\nfinal\n=0
#include "p.h"
static void on_final(struct event* ev, void* arg) {
  (void)ev, (void)arg;
  fputs("final\n", stderr);
}
HANDLER(on_a) {
  UNUSED;
  event_free_finalize(0, arg, on_final);
  take(80);
  puts("asked");
}
int main(void) {
  base = event_base_new();
  due(base, spare, NULL);
  due(base, on_a, event_new(base, -1, 0, spare, NULL));
  event_base_dispatch(base);
  return 0;
}
