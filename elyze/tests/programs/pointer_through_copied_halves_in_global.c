// The address of an object is kept as two halves that memcpy moves apart.
#include "server.h"

#include <stdint.h>

struct record {
  char name[8];
  long count;
};
struct halves {
  char high[4];
  char between[12];
  char low[4];
};
static struct halves hide(void *p) {
  struct halves h = {0};
  memcpy(h.low, &p, 4);
  memcpy(h.high, (char *)&p + 4, 4);
  return h;
}
static void *seek(struct halves h) {
  void *p;
  memcpy((char *)&p + 4, h.high, 4);
  memcpy(&p, h.low, 4);
  return p;
}
static struct record block;
static struct halves kept;
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
