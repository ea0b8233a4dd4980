// The cleanup of evbuffer_add_reference() runs when the data has been sent.
#include <event2/buffer.h>
#include <event2/bufferevent.h>

#include "server.h"

static long cleaned, ticks;
struct session {
  struct bufferevent *bev;
  struct evbuffer *out;
};
static void clean(const void *data, size_t length, void *extra) {
  (void)data, (void)length, (void)extra;
  cleaned++;
}
HANDLER(on_client) {
  struct session *s = arg;
  UNUSED;
  evbuffer_add_reference(s->out, "text", 4, clean, NULL);
  evbuffer_drain(s->out, 4);
}
HANDLER(on_tick) {
  UNUSED;
  ticks += cleaned;
}
// CONFLICT always: on_client on_client: cleaned
// CONFLICT always: on_client on_tick: cleaned
// CONFLICT always: on_tick on_tick: ticks

int main(void) {
  base = event_base_new();
  for (int i = 1; i < 8; i++) {
    struct session *s = calloc(1, sizeof *s);
    s->out = evbuffer_new();
    when_readable(i, on_client, s);
    when_readable(i + 20, on_tick, NULL);
  }
  return event_base_dispatch(base);
}
