// CONFLICT always: on_read on_work: session->buffer
// CONFLICT always: on_read on_read
// CONFLICT session: on_work on_work
#include "server.h"
struct session { struct msghdr message; struct iovec vector; char buffer[512]; };
HANDLER(on_read) { struct session *s = arg; UNUSED; if (recvmsg(fd, &s->message, 0) < 0) return; }
HANDLER(on_work) { struct session *s = arg; UNUSED; s->buffer[0]++; }
int main(void) {
  base = event_base_new();
  struct session *last = NULL;
  for (int i = 3; i < 7; i++) {
    struct session *s = calloc(1, sizeof *s);
    s->vector = (struct iovec){last ? last->buffer : s->buffer, sizeof s->buffer};
    s->message.msg_iov = &s->vector;
    s->message.msg_iovlen = 1;
    last = s;
    when_readable(i, on_read, s); when_readable(i + 10, on_work, s);
  }
  return event_base_dispatch(base);
}
