// A proxy reads from one side straight into the buffer that the other side sends from, by a vector in its session.
// CONFLICT always: on_read on_work: session->buffer
// CONFLICT always: on_read on_read: session->buffer
// CONFLICT session: on_work on_work
#include <sys/uio.h>
#include "server.h"
struct session { struct session *peer; struct iovec vector[1]; char buffer[512]; };
HANDLER(on_read) { struct session *s = arg; UNUSED; if (readv(fd, s->vector, 1) < 0) return; }
HANDLER(on_work) { struct session *s = arg; UNUSED; s->buffer[0]++; }
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 7; i += 2) {
    struct session *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
    a->peer = b; b->peer = a;
    a->vector[0] = (struct iovec){b->buffer, sizeof b->buffer};
    b->vector[0] = (struct iovec){a->buffer, sizeof a->buffer};
    when_readable(i, on_read, a); when_readable(i + 1, on_read, b);
    when_readable(i + 10, on_work, a); when_readable(i + 11, on_work, b);
  }
  return event_base_dispatch(base);
}
