// Whoever takes the last referenced byte out of a buffer calls the cleanup.
// CONFLICT always: on_drain on_show: released
// CONFLICT always: on_drain on_drain: released
// IMPRECISE: on_add on_show: never
// CONFLICT session: on_add on_drain
// CONFLICT session: on_add on_add
// SAFE: on_show on_show
#include <event2/buffer.h>
#include "server.h"
struct session {
  struct evbuffer* out;
};
static long released;
static void release(const void* data, size_t size, void* extra) {
  (void)data, (void)size, (void)extra;
  released++;
}
HANDLER(on_add) {
  struct session* s = arg;
  UNUSED;
  evbuffer_add_reference(s->out, "text", 4, release, NULL);
}
HANDLER(on_drain) {
  struct session* s = arg;
  UNUSED;
  evbuffer_drain(s->out, 4);
}
HANDLER(on_show) {
  UNUSED;
  printf("%ld\n", released);
}
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->out = evbuffer_new();
    when_readable(i, on_add, s);
    when_readable(i + 10, on_drain, s);
  }
  when_readable(9, on_show, NULL);
  return event_base_dispatch(base);
}
