// Reopening the log frees the stream that another handler may be printing to.
#include "server.h"

struct session { FILE *out; };
static FILE *out;
static long a_calls;
HANDLER(on_client) {
  struct session *s = arg;
  UNUSED;
  fprintf(s->out, "x");
  a_calls++;
}
HANDLER(on_hup) {
  UNUSED;
  fclose(out);
}
// CONFLICT always: on_client on_client: a_calls
// CONFLICT always: on_client on_hup: out
// CONFLICT always: on_hup on_hup: out

int main(void) {
  base = event_base_new();
  out = fopen("/tmp/log", "w");
  for (int i = 3; i < 5; i++) {
    struct session *s = calloc(1, sizeof *s);
    s->out = out;
    when_readable(i, on_client, s);
    when_readable(i + 10, on_hup, NULL);
  }
  return event_base_dispatch(base);
}
