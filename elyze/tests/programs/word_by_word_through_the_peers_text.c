// What a session takes apart stands in the session that sent it.
// CONFLICT always: on_words on_text: session->text
// CONFLICT always: on_words on_words: session->text
// CONFLICT session: on_text on_text
#define _DEFAULT_SOURCE
#include "server.h"
struct session { char *cursor; long words; char text[128]; };
HANDLER(on_words) { struct session *s = arg; UNUSED; while (strsep(&s->cursor, " ")) s->words++; }
HANDLER(on_text) { struct session *s = arg; UNUSED; s->text[0] = ' '; }
int main(void) {
  base = event_base_new();
  struct session *last = calloc(1, sizeof *last);
  when_readable(40, on_text, last);
  for (int i = 3; i < 7; i++) {
    struct session *s = calloc(1, sizeof *s);
    s->cursor = last->text;
    last = s;
    when_readable(i, on_words, s); when_readable(i + 10, on_text, s);
  }
  return event_base_dispatch(base);
}
