// CONFLICT always: on_send on_work: session->text
// CONFLICT session: on_work on_work
// CONFLICT session: on_send on_send
#include <event2/buffer.h>
#include "server.h"
struct session { struct evbuffer *out; struct evbuffer_iovec vector[1]; char text[512]; };
HANDLER(on_send) { struct session *s = arg; UNUSED; evbuffer_add_iovec(s->out, s->vector, 1); }
HANDLER(on_work) { struct session *s = arg; UNUSED; s->text[0]++; }
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 7; i += 2) {
    struct session *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
    a->out = evbuffer_new(); b->out = evbuffer_new();
    a->vector[0] = (struct evbuffer_iovec){b->text, sizeof b->text};
    b->vector[0] = (struct evbuffer_iovec){a->text, sizeof a->text};
    when_readable(i, on_send, a); when_readable(i + 1, on_send, b);
    when_readable(i + 10, on_work, a); when_readable(i + 11, on_work, b);
  }
  return event_base_dispatch(base);
}
