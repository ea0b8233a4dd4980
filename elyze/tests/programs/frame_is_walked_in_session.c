// A handler walks the stack up from its frame, to the sessions that main has in a variable.
// CONFLICT always: on_scan on_scan
// CONFLICT always: on_scan on_read
// CONFLICT session: on_read on_read
#include "server.h"
struct client {
  long magic, count;
};
HANDLER(on_scan) {
  UNUSED;
  struct client **at = __builtin_frame_address(0);
  for (int i = 0; i < 4096; i++)
    if (at[i] != NULL && at[i] == at[i + 1]) {
      at[i]->count++;
      break;
    }
}
HANDLER(on_read) {
  struct client *client = arg;
  (void)fd, (void)what;
  client->count++;
}
int main(void) {
  struct client *volatile kept[4];
  base = event_base_new();
  for (int i = 0; i < 4; i += 2) {
    kept[i] = kept[i + 1] = calloc(1, sizeof(struct client));
    when_readable(4 + i, on_read, kept[i]);
  }
  when_readable(3, on_scan, NULL);
  return event_base_dispatch(base);
}
