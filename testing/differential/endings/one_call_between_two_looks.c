/* The program has asked for a look at the descriptors after each call (event_config_set_max_dispatch_interval). */
#include "small.h"

static int end[2];
static int calls;

HANDLER(on_spare) { UNUSED; }
HANDLER(on_low) {
  UNUSED;
  say("low\n");
  if (calls++ == 0 && write(end[1], "x", 1) != 1) say("not written\n");
  take(5);
}
HANDLER(on_urgent) {
  UNUSED;
  say("urgent\n");
}

int main(void) {
  struct event_config* config = event_config_new();
  event_config_set_max_dispatch_interval(config, NULL, 1, 0);
  base = event_base_new_with_config(config);
  event_base_priority_init(base, 2);
  if (pipe(end) != 0) return 2;
  struct event* urgent = event_new(base, end[0], EV_READ, on_urgent, NULL);
  event_priority_set(urgent, 0);
  event_add(urgent, NULL);
  for (int i = 0; i < 3; ++i) {
    struct event* low = event_new(base, -1, 0, on_low, NULL);
    event_priority_set(low, 1);
    event_active(low, EV_READ, 1);
  }
  due(base, on_spare, NULL);
  event_base_dispatch(base);
  return 0;
}
