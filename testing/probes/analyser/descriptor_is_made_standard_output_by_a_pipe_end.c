// 1 is closed by a helper; pipe() takes the number; both ends meet.
// CONFLICT always: on_a on_b
#include "server.h"

static int p[2];
static void shut(int fd) { close(fd); }

HANDLER(on_a) {
  UNUSED;
  write(1, "a", 1);
  write(1, "b", 1);
}

HANDLER(on_b) {
  UNUSED;
  char t[2];
  read(p[0], t, 1);
  read(p[0], t + 1, 1);
}

int main(int argc, char** argv) {
  (void)argc, (void)argv;
  base = event_base_new();
  shut(1);
  shut(0);
  pipe(p);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
