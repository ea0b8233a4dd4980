// CONFLICT always: on_a on_b: what is printed
// printf("x") becomes putchar() in the preparation of the analysis, which is the program's own here. Schedule: A prints
// x, B prints y, A prints z. Serial: xz stand together. C17 7.1.3 does not allow the program to define putchar().
#include "server.h"
#include <stdio.h>
#undef putchar
int putchar(int c) { return c; }
HANDLER(on_a) {
  UNUSED;
  printf("x");
  printf("z");
}
HANDLER(on_b) {
  UNUSED;
  printf("y");
}
int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
