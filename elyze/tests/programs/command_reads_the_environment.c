// putenv() keeps the program's own text: a command that is run gets a copy of it.
// CONFLICT always: on_a on_b: text
// CONFLICT always: on_a on_a: text
// CONFLICT always: on_b on_b
#include "server.h"
static char text[] = "A=11";
HANDLER(on_a) {
  UNUSED;
  text[2]++;
  text[3]++;
}
HANDLER(on_b) {
  UNUSED;
  if (system("test $A")) abort();
}

int main(void) {
  base = event_base_new();
  putenv(text);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
