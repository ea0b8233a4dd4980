// zlib allocates with the functions in the stream.
// CONFLICT always: on_pack on_pack: blocks
// CONFLICT always: on_pack on_show: blocks
// SAFE: on_show on_show
#include "server.h"

typedef struct {
  void* next_in;
  unsigned avail_in;
  unsigned long total_in;
  void* next_out;
  unsigned avail_out;
  unsigned long total_out;
  const char* msg;
  void* state;
  void* (*zalloc)(void*, unsigned, unsigned);
  void (*zfree)(void*, void*);
  void* opaque;
  int data_type;
  unsigned long adler, reserved;
} z_stream;
extern int deflateInit_(z_stream*, int, const char*, int);

static int blocks;

static void* take(void* opaque, unsigned items, unsigned size) {
  (void)opaque;
  blocks++;
  return calloc(items, size);
}

static void give(void* opaque, void* block) {
  (void)opaque;
  blocks--;
  free(block);
}

HANDLER(on_pack) {
  UNUSED;
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  stream.zalloc = take;
  stream.zfree = give;
  deflateInit_(&stream, 6, "1.2", sizeof stream);
}

HANDLER(on_show) {
  UNUSED;
  printf("%d\n", blocks);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_pack, NULL);
  when_readable(4, on_show, NULL);
  return event_base_dispatch(base);
}
