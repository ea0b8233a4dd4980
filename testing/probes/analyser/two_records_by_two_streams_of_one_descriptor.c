// Two streams lead to one terminal; a record of two calls on one is torn by a record on the other.
// CONFLICT always: on_a on_b
// CONFLICT always: on_a on_a
// SAFE: on_b on_b
#include "server.h"
static FILE *one, *two;
HANDLER(on_a) {
  UNUSED;
  fputs("name: ", one);
  fputs("value\n", one);
}
HANDLER(on_b) {
  UNUSED;
  fputs("other\n", two);
}

int main(void) {
  base = event_base_new();
  int out = socket(AF_UNIX, SOCK_STREAM, 0);
  one = fdopen(out, "w");
  two = fdopen(dup(out), "w");
  setvbuf(one, NULL, _IONBF, 0);
  setvbuf(two, NULL, _IONBF, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
