// putenv() keeps the program's own text: who looks a name up reads it.
// CONFLICT always: on_a on_b: text
// CONFLICT always: on_a on_a: text
// SAFE: on_b on_b
#include "server.h"
static char text[] = "A=1";
HANDLER(on_a) {
  UNUSED;
  text[0] ^= 2;
}
HANDLER(on_b) {
  UNUSED;
  if (getenv("A") != NULL) printf("there\n");
}

int main(void) {
  base = event_base_new();
  putenv(text);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
