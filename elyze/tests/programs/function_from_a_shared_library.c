// The function that a handler calls came from dlsym(): nobody knows what it does.
#include "server.h"

#include <dlfcn.h>

static void (*plugin)(void *);
struct session {
  long hits;
};
static long ticks;
HANDLER(on_client) {
  struct session *s = arg;
  UNUSED;
  plugin(s);
}
HANDLER(on_tick) {
  UNUSED;
  ticks++;
}
// CONFLICT always: on_client on_client: unknown external function that unknown code gave
// CONFLICT always: on_client on_tick: unknown external function that unknown code gave
// CONFLICT always: on_tick on_tick: ticks

int main(void) {
  base = event_base_new();
  plugin = (void (*)(void *))dlsym(NULL, "plugin_entry");
  for (int i = 3; i < 9; i++) when_readable(i, on_client, calloc(1, sizeof(struct session)));
  when_readable(20, on_tick, NULL);
  when_readable(21, on_tick, NULL);
  return event_base_dispatch(base);
}
