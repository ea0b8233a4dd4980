// possible: \[err\] .*called on a non-initialized event.*\n.*=-6
// event_enable_debug_mode() ends the program that adds what was never assigned.
#include "p.h"
int main(void) {
  event_enable_debug_mode();
  base = event_base_new();
  struct event* ev = calloc(1, event_get_struct_event_size());
  event_get_fd(ev);
  event_add(ev, NULL);
  return 0;
}
