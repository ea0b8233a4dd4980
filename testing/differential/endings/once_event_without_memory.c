/* What the program's allocator refuses event_base_once() does not have. */
#include "small.h"

static int refuses;

HANDLER(on_time) {
  UNUSED;
  say("called\n");
}
static void* get(size_t size) { return refuses ? NULL : malloc(size); }
static void* change(void* memory, size_t size) { return refuses ? NULL : realloc(memory, size); }

int main(void) {
  struct timeval soon = {0, 1000};
  event_set_mem_functions(get, change, free);
  base = event_base_new();
  refuses = 1;
  say(event_base_once(base, -1, EV_TIMEOUT, on_time, NULL, &soon) == -1 ? "refused\n" : "added\n");
  refuses = 0;
  say(event_base_once(base, -1, EV_TIMEOUT, on_time, NULL, &soon) == 0 ? "added\n" : "refused\n");
  event_base_dispatch(base);
  return 0;
}
