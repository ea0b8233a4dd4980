// sendmsg() with the name and the vector of the next session.
// CONFLICT always: on_send on_work: session->text
// CONFLICT session: on_work on_work
// CONFLICT always: on_send on_send: send_calls
#include "server.h"
struct session { struct msghdr message; struct iovec vector; char text[64]; };
static long send_calls;
HANDLER(on_send) { send_calls++; struct session *s = arg; UNUSED; if (sendmsg(fd, &s->message, 0) < 0) return; }
HANDLER(on_work) { struct session *s = arg; UNUSED; s->text[0]++; }
int main(void) {
  base = event_base_new(); struct session *last = calloc(1, sizeof *last); when_readable(40, on_work, last);
  for (int i = 3; i < 6; i++) { struct session *s = calloc(1, sizeof *s); s->vector.iov_base = last->text; s->vector.iov_len = 64; s->message.msg_iov = &s->vector; s->message.msg_iovlen = 1; last = s; when_readable(i, on_send, s); when_readable(i + 10, on_work, s); }
  return event_base_dispatch(base);
}
