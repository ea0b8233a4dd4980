// One function keeps the address of what it is given as two halves that memcpy moves apart, another one finds it again.
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
static struct halves kept[4];
static void keep(struct record *block, int at) {
  kept[at] = hide(block);
}
static struct record *find(int at) { return (struct record *)seek(kept[at]); }
static void count(struct record *block) { block->count++; }
static struct record *first;
static long reads;
HANDLER(on_write) {
  UNUSED;
  count(find(fd & 3));
}
HANDLER(on_read) {
  UNUSED;
  reads += first->count;
}
// CONFLICT always: on_write on_write
// CONFLICT always: on_write on_read
// CONFLICT always: on_read on_read: reads

int main(void) {
  base = event_base_new();
  first = calloc(1, sizeof *first);
  for (int i = 0; i < 4; i++) keep(first, i);
  for (int i = 3; i < 9; i++) when_readable(i, on_write, NULL);
  for (int i = 20; i < 22; i++) when_readable(i, on_read, NULL);
  return event_base_dispatch(base);
}
