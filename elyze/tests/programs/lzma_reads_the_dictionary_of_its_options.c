// lzma_alone_encoder() reads the dictionary that its options lead to (lzma/lzma12.h: preset_dict).
// CONFLICT always: on_fill on_fill
// CONFLICT always: on_fill on_make
// CONFLICT always: on_make on_make
#include "server.h"

struct options { unsigned size; const unsigned char *dictionary; unsigned length; unsigned rest[40]; };
struct stream {
  const unsigned char *in;
  size_t left;
  long total;
  unsigned char *out;
  size_t room;
  long made;
  void *rest[12];
};
extern int lzma_alone_encoder(struct stream *, const struct options *);

static struct stream stream;
static struct options options;
static unsigned char words[100];

HANDLER(on_fill) {
  UNUSED;
  words[0] = 1;
  words[1] = 2;
}

HANDLER(on_make) {
  UNUSED;
  lzma_alone_encoder(&stream, &options);
}

int main(void) {
  base = event_base_new();
  options.dictionary = words;
  options.length = sizeof words;
  when_readable(3, on_fill, NULL);
  when_readable(4, on_make, NULL);
  return event_base_dispatch(base);
}
