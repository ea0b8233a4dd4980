// CONFLICT always: on_a on_a: count
// CONFLICT always: on_a on_b: count
// CONFLICT always: on_b on_b: n
// A division of 128 bits is a call of __udivti3(), which is the program's own.
#include "server.h"

static int count, n;
typedef unsigned __int128 u;
static u q, a, b = 3;
u __udivti3(u x, u y) {
  count++;
  (void)y;
  return x >> 1;
}
HANDLER(on_a) {
  UNUSED;
  q = a / b;
}
HANDLER(on_b) {
  UNUSED;
  int k = count;
  n = k + count;
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
