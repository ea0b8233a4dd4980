// CONFLICT always: on_send on_work: session->buffer
// CONFLICT session: on_work on_work
// CONFLICT always: on_send on_send: send_calls
#include <sys/uio.h>
#include "server.h"
struct session { int fd; struct session *peer; struct iovec vector[1]; char buffer[512]; };
static long send_calls;
HANDLER(on_send) { send_calls++; struct session *s = arg; UNUSED; if (writev(fd, s->vector, 1) < 0) return; }
HANDLER(on_work) { struct session *s = arg; UNUSED; s->buffer[0]++; }
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 7; i += 2) {
    struct session *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
    a->vector[0] = (struct iovec){b->buffer, sizeof b->buffer};
    b->vector[0] = (struct iovec){a->buffer, sizeof a->buffer};
    when_readable(i, on_send, a); when_readable(i + 1, on_send, b);
    when_readable(i + 10, on_work, a); when_readable(i + 11, on_work, b);
  }
  return event_base_dispatch(base);
}
