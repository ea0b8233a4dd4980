// setlocale changes how numbers are read and printed.
// CONFLICT always: on_choose on_choose: locale
// CONFLICT always: on_choose on_print: locale
// CONFLICT always: on_choose on_parse: locale
// CONFLICT always: on_choose on_class: locale
// SAFE: on_print on_print
// SAFE: on_print on_parse
// SAFE: on_print on_class
// SAFE: on_parse on_parse
// SAFE: on_parse on_class
// SAFE: on_class on_class
#include <ctype.h>
#include <locale.h>

#include "server.h"

HANDLER(on_choose) {
  UNUSED;
  setlocale(LC_ALL, "de_DE.UTF-8");
}

HANDLER(on_print) {
  UNUSED;
  printf("%f\n", fd / 2.0);
}

static double parsed(const char *text) { return strtod(text, NULL); }

HANDLER(on_parse) {
  UNUSED;
  if (parsed("1,5") > 1.2) abort();
}

struct session {
  char name[8];
};

HANDLER(on_class) {
  UNUSED;
  struct session *s = arg;
  if (!isalpha(s->name[0])) abort();
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_choose, NULL);
  when_readable(4, on_print, NULL);
  when_readable(5, on_parse, NULL);
  for (int i = 0; i < 2; i++) when_readable(6 + i, on_class, calloc(1, sizeof(struct session)));
  return event_base_dispatch(base);
}
