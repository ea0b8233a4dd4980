// A tag that is added calls the buffer's callback in the middle of the handler.
// CONFLICT always: on_a on_change
// CONFLICT always: on_a on_b: added
// CONFLICT always: on_a on_a: added
// CONFLICT always: on_b on_change: added
// CONFLICT always: on_change on_change: added
// SAFE: on_b on_b
#include <event2/buffer.h>
#include <event2/tag.h>
#include "server.h"
struct session {
  struct evbuffer* out;
};
static size_t added;
static void on_change(struct evbuffer* out, const struct evbuffer_cb_info* info, void* arg) {
  (void)out, (void)arg;
  added += info->n_added;
}
HANDLER(on_a) {
  struct session* s = arg;
  UNUSED;
  evtag_marshal_int(s->out, 1, 2);
}
HANDLER(on_b) {
  UNUSED;
  printf("%zu\n", added);
}
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->out = evbuffer_new();
    evbuffer_add_cb(s->out, on_change, NULL);
    when_readable(i, on_a, s);
  }
  when_readable(9, on_b, NULL);
  return event_base_dispatch(base);
}
