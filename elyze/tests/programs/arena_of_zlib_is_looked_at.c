// The state of a stream is what the program's function for blocks returned.
// CONFLICT always: on_a on_a: *s.state, out
// CONFLICT always: on_a on_b: *s.state
// CONFLICT always: on_b on_b: *s.state, seen

#include <zlib.h>

#include "server.h"
static z_stream s;
static unsigned char out[64], in[64];
static char arena[1 << 20];
static size_t used;
static long seen;
static void *al(void *o, unsigned n, unsigned m) {
  void *p = arena + used;
  used += n * m;
  return p;
}
static void fr(void *o, void *p) {}
HANDLER(on_a) {
  UNUSED;
  deflate(&s, Z_NO_FLUSH);
  deflate(&s, Z_FINISH);
}
HANDLER(on_b) {
  UNUSED;
  memset(arena, 0, 16);
  seen = arena[100];
}
int main(int argc, char **argv) {
  base = event_base_new();
  s.zalloc = al;
  s.zfree = fr;
  deflateInit(&s, 6);
  s.next_in = in;
  s.avail_in = 64;
  s.next_out = out;
  s.avail_out = 64;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
