// Standard input by the number 0, and by the number that its stream gives.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
#include "server.h"
HANDLER(on_a) {
  UNUSED;
  char bytes[2];
  if (read(fileno(stdin), bytes, 1) == 1 && read(fileno(stdin), bytes + 1, 1) == 1) printf("%.2s\n", bytes);
}
HANDLER(on_b) {
  UNUSED;
  char byte;
  if (read(0, &byte, 1) == 1) printf("%c\n", byte);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
