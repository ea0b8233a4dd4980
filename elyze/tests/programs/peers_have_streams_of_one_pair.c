// Both ends of a pair of sockets have a stream and a session, made by one function.
// CONFLICT always: on_write on_read
// CONFLICT always: on_write on_write
#include "server.h"
struct end { FILE *stream; long half; };
HANDLER(on_write) { struct end *s = arg; UNUSED; fputs("name ", s->stream); fflush(s->stream); fputs("value", s->stream); fflush(s->stream); }
HANDLER(on_read) { struct end *s = arg; UNUSED; char bytes[11]; s->half += fread(bytes, 1, 10, s->stream) == 5; }
static struct end *make(int fd) { struct end *e = calloc(1, sizeof *e); e->stream = fdopen(fd, "r+"); return e; }
int main(void) {
  base = event_base_new();
  for (int i = 0; i < 3; i++) {
    int sv[2]; if (socketpair(AF_UNIX, SOCK_STREAM, 0, sv)) return 1;
    struct end *a = make(sv[0]), *b = make(sv[1]);
    event_add(event_new(base, -1, EV_PERSIST, on_write, a), &(struct timeval){0, 1000});
    event_add(event_new(base, -1, EV_PERSIST, on_write, b), &(struct timeval){0, 1000});
    event_add(event_new(base, -1, EV_PERSIST, on_read, b), &(struct timeval){0, 1000});
    event_add(event_new(base, -1, EV_PERSIST, on_read, a), &(struct timeval){0, 1000});
  }
  return event_base_dispatch(base);
}
