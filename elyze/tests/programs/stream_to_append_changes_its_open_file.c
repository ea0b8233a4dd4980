// fdopen("a") sets O_APPEND on the open file (POSIX, fdopen()), and pwrite() then appends (pwrite(2)).
// IMPRECISE: on_adopt on_adopt: never
// CONFLICT always: on_adopt on_write: file of out
// CONFLICT always: on_write on_write: contents of elyze-out
#include "server.h"

static int out;

HANDLER(on_adopt) {
  UNUSED;
  FILE* made = fdopen(out, "a");
  (void)made;
}

HANDLER(on_write) {
  UNUSED;
  pwrite(out, "a", 1, 0);
  pwrite(out, "b", 1, 0);
}

int main(void) {
  base = event_base_new();
  out = open("/tmp/elyze-out", O_RDWR | O_CREAT, 0600);
  when_readable(3, on_adopt, NULL);
  when_readable(4, on_write, NULL);
  return event_base_dispatch(base);
}
