// F_NOTIFY has mkdir() call the function for SIGIO (fcntl(2)).
// CONFLICT always: on_make on_make: directory entry of x
// CONFLICT always: on_make on_count: seen
// CONFLICT always: on_count on_count: seen
#define _GNU_SOURCE
#include <signal.h>
#include <sys/stat.h>

#include "server.h"

static int seen;
static void count_io(int s) {
  (void)s;
  seen++;
}

HANDLER(on_make) {
  UNUSED;
  mkdir("/tmp/elyze-d/x", 0700);
  rmdir("/tmp/elyze-d/x");
}

HANDLER(on_count) {
  UNUSED;
  seen++;
}

int main(void) {
  base = event_base_new();
  int d = open("/tmp/elyze-d", O_RDONLY);
  signal(SIGIO, count_io);
  fcntl(d, F_NOTIFY, DN_CREATE | DN_MULTISHOT);
  when_readable(3, on_make, NULL);
  when_readable(4, on_count, NULL);
  return event_base_dispatch(base);
}
