// evbuffer_add_printf() prints numbers as the locale says.
// CONFLICT always: on_print on_switch: locale
// CONFLICT always: on_switch on_switch: locale
// CONFLICT session: on_print on_print
#include <event2/buffer.h>
#include <locale.h>
#include "server.h"
struct session {
  struct evbuffer* out;
};
HANDLER(on_print) {
  struct session* s = arg;
  UNUSED;
  evbuffer_add_printf(s->out, "%f", 1.5);
}
HANDLER(on_switch) {
  UNUSED;
  setlocale(LC_NUMERIC, "de_DE");
  setlocale(LC_NUMERIC, "C");
}
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->out = evbuffer_new();
    when_readable(i, on_print, s);
  }
  when_readable(9, on_switch, NULL);
  return event_base_dispatch(base);
}
