// A handler walks the stack up from its frame, to a variable of main's.
// CONFLICT always: on_scan on_scan
// CONFLICT always: on_scan on_read
// CONFLICT always: on_read on_read: reads
#include "server.h"
struct record {
  long magic, count;
};
static long reads;
HANDLER(on_scan) {
  UNUSED;
  struct record **at = __builtin_frame_address(0);
  for (int i = 0; i < 4096; i++)
    if (at[i] != NULL && at[i] == at[i + 1]) {
      at[i]->count++;
      break;
    }
}
HANDLER(on_read) {
  (void)fd, (void)what;
  reads += ((struct record *)arg)->count;
}
int main(void) {
  struct record *volatile kept[2];
  base = event_base_new();
  kept[0] = kept[1] = calloc(1, sizeof(struct record));
  when_readable(3, on_scan, NULL);
  when_readable(4, on_read, kept[1]);
  return event_base_dispatch(base);
}
