// The text of a memory stream moves when it grows, also where that is what stdout holds.
// CONFLICT always: on_print on_show: text
// CONFLICT always: on_letter on_show: text
#include "server.h"

static char *text;
static size_t size;
static long letters;

HANDLER(on_print) {
  UNUSED;
  printf("%d\n", fd);
}

HANDLER(on_letter) {
  UNUSED;
  putchar('x');
}

HANDLER(on_show) {
  UNUSED;
  fflush(stdout);
  if (size > 0 && text[0] == 'x') letters++;
}

int main(void) {
  stdout = open_memstream(&text, &size);
  base = event_base_new();
  when_readable(3, on_print, NULL);
  when_readable(4, on_letter, NULL);
  when_readable(5, on_show, NULL);
  return event_base_dispatch(base);
}
