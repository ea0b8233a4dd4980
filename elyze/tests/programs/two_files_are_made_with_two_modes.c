// Who makes a file decides on its mode (open(2)): in a serial run both have one mode.
// IMPRECISE: on_make on_make: never
// CONFLICT always: on_make on_share: directory entry of elyze-f
// IMPRECISE: on_share on_share: never
#include "server.h"

HANDLER(on_make) {
  UNUSED;
  close(open("/tmp/elyze-f", O_WRONLY | O_CREAT, 0600));
  close(open("/tmp/elyze-g", O_WRONLY | O_CREAT, 0600));
}

HANDLER(on_share) {
  UNUSED;
  close(open("/tmp/elyze-f", O_WRONLY | O_CREAT, 0644));
  close(open("/tmp/elyze-g", O_WRONLY | O_CREAT, 0644));
}

int main(void) {
  base = event_base_new();

  when_readable(3, on_make, NULL);
  when_readable(4, on_share, NULL);
  return event_base_dispatch(base);
}
