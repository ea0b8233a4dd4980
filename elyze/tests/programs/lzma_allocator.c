// CONFLICT always: on_a on_a: blocks
// CONFLICT always: on_a on_b: blocks
// CONFLICT always: on_b on_b: n
/* allocator of the program */
#include "server.h"
#include <lzma.h>
static int blocks, n;
static void* take(void* o, size_t c, size_t z) {
  (void)o;
  blocks++;
  return malloc(c * z);
}
static void drop(void* o, void* p) {
  (void)o;
  blocks--;
  free(p);
}
struct own {
  lzma_stream z;
  lzma_allocator how;
};
HANDLER(on_a) {
  UNUSED;
  struct own* s = arg;
  s->z.allocator = &s->how;
  lzma_easy_encoder(&s->z, 6, LZMA_CHECK_CRC32);
  lzma_end(&s->z);
}
HANDLER(on_b) {
  UNUSED;
  int k = blocks;
  n = k + blocks;
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();
  struct own* s = calloc(1, sizeof *s);
  s->how.alloc = take;
  s->how.free = drop;
  when_readable(3, on_a, s);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
