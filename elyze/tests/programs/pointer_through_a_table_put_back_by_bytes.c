// The bytes of an address are looked up in a table, and put together by a loop of bytes.
#include "server.h"

#include <stdint.h>

struct session {
  long *block;
  unsigned char bytes[8];
};
static unsigned char there[256], back[256];
HANDLER(on_a) {
  struct session *s = arg;
  UNUSED;
  long *found;
  for (int k = 0; k < 8; k++) ((unsigned char *)&found)[k] = (unsigned char)(s->bytes[k] ^ 0x5a);
  ++*found;
}
HANDLER(on_b) {
  struct session *s = arg;
  UNUSED;
  ++*s->block;
}
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// IMPRECISE: on_b on_b: session

int main(void) {
  base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct session *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
    a->block = calloc(1, sizeof(long));
    b->block = calloc(1, sizeof(long));
    for (int k = 0; k < 256; k++) {
      there[k] = (unsigned char)(k ^ 0x5a);
      back[k ^ 0x5a] = (unsigned char)k;
    }
    for (int k = 0; k < 8; k++) a->bytes[k] = there[((unsigned char *)&b->block)[k]];
    when_readable(3 + i, on_a, a);
    when_readable(5 + i, on_b, b);
  }
  return event_base_dispatch(base);
}
