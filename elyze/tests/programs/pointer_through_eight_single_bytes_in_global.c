// The address of an object is kept as eight bytes in variables of their own.
#include "server.h"

#include <stdint.h>

struct record {
  char name[8];
  long count;
};
struct bytes {
  unsigned char a, pad0[15], b, pad1[15], c, pad2[15], d, pad3[15], e, pad4[15], f, pad5[15], g, pad6[15], h;
};
static struct bytes hide(void *p) {
  unsigned char *at = (unsigned char *)&p;
  struct bytes b = {0};
  b.a = at[0], b.b = at[1], b.c = at[2], b.d = at[3], b.e = at[4], b.f = at[5], b.g = at[6], b.h = at[7];
  return b;
}
static void *seek(struct bytes b) {
  void *p;
  unsigned char *at = (unsigned char *)&p;
  at[7] = b.h, at[6] = b.g, at[5] = b.f, at[4] = b.e, at[3] = b.d, at[2] = b.c, at[1] = b.b, at[0] = b.a;
  return p;
}
static struct record block;
static struct bytes kept;
static long reads;
HANDLER(on_write) {
  UNUSED;
  struct record *found = (struct record *)seek(kept);
  found->count++;
}
HANDLER(on_read) {
  UNUSED;
  reads += block.count;
}
// CONFLICT always: on_write on_write
// CONFLICT always: on_write on_read
// CONFLICT always: on_read on_read: reads

int main(void) {
  base = event_base_new();
  kept = hide(&block);
  for (int i = 3; i < 9; i++) when_readable(i, on_write, NULL);
  for (int i = 20; i < 22; i++) when_readable(i, on_read, NULL);
  return event_base_dispatch(base);
}
