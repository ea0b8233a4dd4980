// A block is still touched after its address went into a pipe.
// CONFLICT always: on_a on_b: item->hits
// CONFLICT always: on_a on_a
// CONFLICT always: on_b on_b
#include "server.h"
struct item {
  long hits;
};
static int ends[2];
HANDLER(on_a) {
  UNUSED;
  struct item* made = calloc(1, sizeof *made);
  if (write(ends[1], &made, sizeof made) != sizeof made) return;
  made->hits++;
}
HANDLER(on_b) {
  UNUSED;
  struct item* found;
  if (read(ends[0], &found, sizeof found) == sizeof found) found->hits++;
}

int main(void) {
  base = event_base_new();
  if (pipe(ends)) return 1;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
