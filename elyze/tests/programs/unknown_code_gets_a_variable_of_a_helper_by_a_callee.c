// What a helper was given by its caller goes to unknown code in a local variable of a third function.
// CONFLICT always: on_write on_write
// CONFLICT always: on_write on_read
// CONFLICT always: on_read on_read: reads
#include "server.h"
struct record {
  char name[8];
  long count;
};
extern struct record *theirs;
void keep_somewhere(void *at);
static long reads;
static void hide(void *p) { keep_somewhere(&p); }
static void pass(struct record *p) { hide(p); }
HANDLER(on_write) {
  UNUSED;
  theirs->count++;
}
HANDLER(on_read) {
  (void)fd, (void)what;
  reads += ((struct record *)arg)->count;
}
int main(void) {
  base = event_base_new();
  struct record *block = calloc(1, sizeof *block);
  pass(block);
  when_readable(3, on_write, NULL);
  for (int i = 20; i < 22; i++) when_readable(i, on_read, block);
  return event_base_dispatch(base);
}
