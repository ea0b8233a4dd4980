// The block that the program's function returned is given back to it.
// CONFLICT always: on_a on_a: *s.state, blocks
// CONFLICT always: on_a on_b: blocks
// CONFLICT always: on_b on_b: seen

#include <zlib.h>

#include "server.h"
static z_stream s;
static long seen;
static long blocks[1 << 20];
static void *al(void *o, unsigned n, unsigned m) { return &blocks[1]; }
static void fr(void *o, void *p) {
  ((long *)p)[-1] = 1;
  ((long *)p)[-1] = 2;
}
HANDLER(on_a) {
  UNUSED;
  deflateEnd(&s);
  deflateInit(&s, 6);
}
HANDLER(on_b) {
  UNUSED;
  seen = blocks[0];
}
int main(int argc, char **argv) {
  base = event_base_new();
  s.zalloc = al;
  s.zfree = fr;
  deflateInit(&s, 6);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
