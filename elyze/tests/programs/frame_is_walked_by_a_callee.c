// A function walks up the stack, from its own frame, for a handler.
// CONFLICT always: on_scan on_scan
// CONFLICT always: on_scan on_read
// SAFE: on_read on_read
#include "server.h"
struct record {
  long magic, count;
};
static struct record *find(void **at) {
  while (at[0] == NULL || at[0] != at[1]) at++;
  return at[0];
}
static struct record *find_from_here(void) { return find(__builtin_frame_address(0)); }
HANDLER(on_scan) {
  UNUSED;
  find_from_here()->count++;
}
HANDLER(on_read) {
  (void)fd, (void)what;
  if (((struct record *)arg)->count < 0) abort();
}
int main(void) {
  struct record *volatile kept[2];
  base = event_base_new();
  kept[0] = kept[1] = calloc(1, sizeof(struct record));
  when_readable(3, on_scan, NULL);
  when_readable(4, on_read, kept[1]);
  return event_base_dispatch(base);
}
