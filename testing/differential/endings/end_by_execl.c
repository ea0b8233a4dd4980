// A handler that fails ends the process when the one before it has said all.
#include "small.h"

HANDLER(on_b) {
  UNUSED;
  take(40);
  say("b\n");
}
HANDLER(on_a) {
  UNUSED;
  take(10);
  execl("/bin/echo", "echo", "other", (char*)NULL);
}
int main(void) {
  base = event_base_new();
  due(base, on_b, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  puts("end");
}
