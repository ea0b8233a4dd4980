// The buffer of a stream may be an array of the program (setvbuf(3)).
// CONFLICT always: on_a on_b: page
#include "server.h"
static char page[BUFSIZ];
static FILE* out;
static char copy[16];
HANDLER(on_a) {
  UNUSED;
  fprintf(out, "%d", (int)fd);
}
HANDLER(on_b) {
  UNUSED;
  memcpy(copy, page, 16);
}
int main(void) {
  base = event_base_new();
  out = fopen("out", "w");
  setvbuf(out, page, _IOFBF, sizeof page);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  event_base_dispatch(base);
}
