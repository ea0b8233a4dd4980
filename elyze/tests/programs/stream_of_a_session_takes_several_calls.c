// Each session has a stream on a pipe of its own, and writes a record in two calls.
// CONFLICT session: on_record on_record: session->out
#include "server.h"

struct session {
  FILE *out;
};

static void field(struct session *s, const char *name) { fprintf(s->out, "%s,", name); }

HANDLER(on_record) {
  UNUSED;
  field(arg, "a");
  field(arg, "b");
}

int main(void) {
  base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct session *s = calloc(1, sizeof *s);
    int ends[2];
    if (pipe(ends) != 0) return 1;
    s->out = fdopen(ends[1], "w");
    when_readable(ends[0], on_record, s);
  }
  return event_base_dispatch(base);
}
