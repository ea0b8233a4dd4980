// openpty(): the two halves are one object; streams of two sessions have them.
// CONFLICT always: on_write on_read
#include <pty.h>
#include "server.h"
struct end { FILE *stream; long half; };
struct shell { long x; FILE *stream; };
HANDLER(on_write) { struct shell *s = arg; UNUSED; fputs("name ", s->stream); fflush(s->stream); fputs("value\n", s->stream); fflush(s->stream); }
static long read_calls;
HANDLER(on_read) { read_calls++; struct end *s = arg; UNUSED; char bytes[11]; s->half += fread(bytes, 1, 10, s->stream) == 5; }
// CONFLICT always: on_read on_read: read_calls
int main(void) {
  base = event_base_new();
  for (int i = 0; i < 3; i++) {
    int master, slave; if (openpty(&master, &slave, NULL, NULL, NULL)) return 1;
    struct end *e = calloc(1, sizeof *e); e->stream = fdopen(master, "r"); struct shell *s = calloc(1, sizeof *s); s->stream = fdopen(slave, "w");
    event_add(event_new(base, -1, EV_PERSIST, on_read, e), &(struct timeval){0, 1000}); event_add(event_new(base, -1, EV_PERSIST, on_write, s), &(struct timeval){0, 1000});
  }
  return event_base_dispatch(base);
}
