// The address of an object is kept as a number in a vector register of assembly.
#include "server.h"

#include <stdint.h>

struct record {
  char name[8];
  long count;
};
static double hide(void *p) {
  double d;
  __asm__("movq %1, %0" : "=x"(d) : "r"(p));
  return d;
}
static void *seek(double d) {
  void *p;
  __asm__("movq %1, %0" : "=r"(p) : "x"(d));
  return p;
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
