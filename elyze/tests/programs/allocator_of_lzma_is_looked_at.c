// The state of a stream is what the program's allocator returned.
// CONFLICT always: on_a on_a: *s.internal, out
// CONFLICT always: on_a on_b: arena
// CONFLICT always: on_b on_b: seen

#include "server.h"

typedef struct {
  void *(*alloc)(void *, size_t, size_t);
  void (*free)(void *, void *);
  void *opaque;
} lzma_allocator;
typedef struct {
  const unsigned char *next_in;
  size_t avail_in;
  unsigned long total_in;
  unsigned char *next_out;
  size_t avail_out;
  unsigned long total_out;
  const lzma_allocator *allocator;
  void *internal;
  void *r[10];
} lzma_stream;
int lzma_stream_decoder(lzma_stream *, unsigned long, unsigned);
int lzma_code(lzma_stream *, int);
static lzma_stream s;
static char arena[1 << 20];
static long seen;
static unsigned char in[9], out[9];
static void *al(void *o, size_t n, size_t m) { return arena; }
static void fr(void *o, void *p) {}
static lzma_allocator a = {al, fr, NULL};
HANDLER(on_a) {
  UNUSED;
  lzma_code(&s, 0);
  lzma_code(&s, 0);
}
HANDLER(on_b) {
  UNUSED;
  seen = arena[100];
  seen += arena[100];
}
int main(int argc, char **argv) {
  base = event_base_new();
  s.allocator = &a;
  lzma_stream_decoder(&s, 1 << 20, 0);
  s.next_in = in;
  s.avail_in = 9;
  s.next_out = out;
  s.avail_out = 9;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
