// With large files fcntl() is fcntl64(): F_SETSIG has a write call the function for SIGUSR1 (fcntl(2)).
// CONFLICT always: on_send on_send: counted
// CONFLICT always: on_send on_count: counted
// CONFLICT always: on_count on_count: counted
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include <signal.h>

#include "server.h"

static int p[2];
static int counted;
static void count_usr(int s) {
  (void)s;
  counted++;
}

HANDLER(on_send) {
  UNUSED;
  write(p[1], "x", 1);
}

HANDLER(on_count) {
  UNUSED;
  counted++;
}

int main(void) {
  base = event_base_new();
  pipe(p);
  fcntl(p[0], F_SETOWN, getpid());
  fcntl(p[0], F_SETSIG, SIGUSR1);
  fcntl(p[0], F_SETFL, O_ASYNC | O_NONBLOCK);
  signal(SIGUSR1, count_usr);
  when_readable(3, on_send, NULL);
  when_readable(4, on_count, NULL);
  return event_base_dispatch(base);
}
