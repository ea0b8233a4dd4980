// The address of an object is kept as the bits of a double.
#include "server.h"

#include <stdint.h>

struct record {
  char name[8];
  long count;
};
static double hide(void *p) {
  union {
    void *p;
    double d;
  } u = {.p = p};
  return u.d * 1.0;
}
static void *seek(double d) {
  union {
    double d;
    void *p;
  } u = {.d = d};
  return u.p;
}
static struct record block;
static double kept;
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
