// localeconv() gives a text that setlocale() replaces.
// CONFLICT always: on_a on_b
// CONFLICT always: on_a on_a
// SAFE: on_b on_b
#include <locale.h>
#include "server.h"
static const char* point;
static _Atomic long commas;
HANDLER(on_a) {
  UNUSED;
  setlocale(LC_NUMERIC, "de_DE");
  setlocale(LC_NUMERIC, "C");
}
HANDLER(on_b) {
  UNUSED;
  if (point[0] == ',') commas++;
}

int main(void) {
  base = event_base_new();
  point = localeconv()->decimal_point;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
