// CONFLICT always: on_a on_a: text
// CONFLICT always: on_a on_b: n
// CONFLICT always: on_b on_b: seen
#include "server.h"

static char* text;
static size_t n;
static FILE* f;
static long seen, seen2;
HANDLER(on_a) {
  UNUSED;
  setvbuf(f, NULL, _IONBF, 0);
}
HANDLER(on_b) {
  UNUSED;
  seen = n;
  seen2 = n;
}
int main(int argc, char** argv) {
  base = event_base_new();
  f = open_memstream(&text, &n);
  fputs("x", f);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
