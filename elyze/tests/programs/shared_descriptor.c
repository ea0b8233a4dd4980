#define _GNU_SOURCE
#include "server.h"

static int log_fd;
struct session {
  int n;
};
HANDLER(on_a) {
  struct session *s = arg;
  UNUSED;
  if (write(log_fd, "x", 1) < 0) s->n++;
}
// CONFLICT always: on_a on_a: file of log_fd

int main(void) {
  base = event_base_new();
  log_fd = open("/tmp/log", O_WRONLY);
  for (int i = 3; i < 9; i++) when_readable(i, on_a, calloc(1, sizeof(struct session)));
  return event_base_dispatch(base);
}
