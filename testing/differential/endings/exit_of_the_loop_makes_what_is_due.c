// The loop is told to exit while another handler makes one more due.
#include "small.h"

HANDLER(on_c) {
  UNUSED;
  say("c\n");
}
HANDLER(on_a) {
  UNUSED;
  event_base_loopexit(base, NULL);
}
HANDLER(on_b) {
  UNUSED;
  take(30);
  due_in(0, on_c, NULL);
  take(5);
}
int main(void) {
  base = event_base_new();
  due(base, on_a, NULL);
  due(base, on_b, NULL);
  event_base_dispatch(base);
  printf("end %d\n", event_base_got_exit(base));
}
