// What getchar() and scanf() read ahead stands in the buffer that the program gave to stdin.
// CONFLICT always: on_letter on_show: ahead
// CONFLICT always: on_number on_show: ahead
#include "server.h"

static char ahead[4096];
static long letters, numbers, shown;

HANDLER(on_letter) {
  UNUSED;
  if (getchar() != EOF) letters++;
}

HANDLER(on_number) {
  UNUSED;
  int number;
  if (scanf("%d", &number) == 1) numbers++;
}

HANDLER(on_show) {
  UNUSED;
  if (ahead[0] == 'x') shown++;
}

int main(void) {
  setvbuf(stdin, ahead, _IOFBF, sizeof ahead);
  base = event_base_new();
  when_readable(3, on_letter, NULL);
  when_readable(4, on_number, NULL);
  when_readable(5, on_show, NULL);
  return event_base_dispatch(base);
}
