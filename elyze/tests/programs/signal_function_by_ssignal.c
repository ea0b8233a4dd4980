// CONFLICT always: on_a on_a: n
// CONFLICT always: on_a on_b: n
// CONFLICT always: on_b on_b: n
// PINNED: on_b by count
// ssignal(3) is signal() by another name, without a spec: a write to a broken pipe calls the function.
#define _GNU_SOURCE
#include <signal.h>

#include "server.h"

static int p[2], n;
static void count(int s) {
  (void)s;
  n++;
}

HANDLER(on_a) {
  UNUSED;
  write(p[1], "x", 1);
}

HANDLER(on_b) {
  UNUSED;
  n++;
  n++;
}

int main(void) {
  base = event_base_new();
  pipe(p);
  close(p[0]);
  ssignal(SIGPIPE, count);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
