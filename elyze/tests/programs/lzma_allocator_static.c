// CONFLICT always: on_a on_a: blocks
// CONFLICT always: on_a on_b: blocks
// CONFLICT always: on_b on_b: n
/* allocator of the program, in a global */
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
static lzma_allocator how = {take, drop, 0};
HANDLER(on_a) {
  UNUSED;
  lzma_stream z = LZMA_STREAM_INIT;
  z.allocator = &how;
  lzma_stream_decoder(&z, 1 << 20, 0);
  lzma_end(&z);
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

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
