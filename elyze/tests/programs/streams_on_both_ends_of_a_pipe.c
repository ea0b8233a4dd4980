// A pipe: one session has a stream that writes to it, another a stream that reads from it.
// CONFLICT always: on_write on_read
#include "server.h"
struct writer { FILE *out; long n; };
struct reader { FILE *in; long half; };
HANDLER(on_write) { struct writer *s = arg; UNUSED; fputs("name ", s->out); fflush(s->out); fputs("value", s->out); fflush(s->out); }
HANDLER(on_read) { struct reader *s = arg; UNUSED; char bytes[11]; s->half += fread(bytes, 1, 10, s->in) == 5; }
// CONFLICT session: on_read on_read
// CONFLICT session: on_write on_write
int main(void) {
  base = event_base_new();
  for (int i = 0; i < 3; i++) {
    struct writer *a = calloc(1, sizeof *a); struct reader *b = calloc(1, sizeof *b); int ends[2];
    if (pipe(ends)) return 1;
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    a->out = fdopen(ends[1], "w"); b->in = fdopen(ends[0], "r");
    event_add(event_new(base, -1, EV_PERSIST, on_write, a), &(struct timeval){0, 1000});
    event_add(event_new(base, -1, EV_PERSIST, on_read, b), &(struct timeval){0, 1000});
  }
  return event_base_dispatch(base);
}
