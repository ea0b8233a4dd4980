// Each session's stream has the session's own buffer, or one for all by an option.
// CONFLICT always: on_print on_print: common
// CONFLICT always: on_print on_peek: common
#include "server.h"
struct session { FILE *out; char buffer[512]; long sum; };
static char common[512]; static int saves_memory;
static long seen;
HANDLER(on_print) { struct session *s = arg; UNUSED; fputs("x", s->out); }
HANDLER(on_peek) { UNUSED; seen += common[0]; }
// CONFLICT always: on_peek on_peek
int main(int argc, char **argv) {
  (void)argv; base = event_base_new(); saves_memory = argc > 1;
  for (int i = 3; i < 6; i++) { struct session *s = calloc(1, sizeof *s); s->out = tmpfile(); if (saves_memory) setvbuf(s->out, common, _IOFBF, 512); else setvbuf(s->out, s->buffer, _IOFBF, 512); when_readable(i, on_print, s); }
  when_readable(9, on_peek, NULL);
  return event_base_dispatch(base);
}
