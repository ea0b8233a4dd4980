// Nothing is known of a function: it may keep something for its thread, or change what others depend on.
#include "server.h"

struct client {
  int (*check)(int);
  int sum;
};

int mystery_check(int value);
int mystery_of(const void *session);

static int never;

HANDLER(on_global) {
  UNUSED;
  if (never) never = mystery_check(1);
}
// PINNED: on_global by mystery_check

HANDLER(on_session) {
  (void)fd, (void)what;
  struct client *client = arg;
  if (never) client->sum = client->check(1);
}
// PINNED: on_session by mystery_check

static int ask(const void *session) { return never ? mystery_of(session) : 0; }

HANDLER(on_helper) {
  (void)fd, (void)what;
  ask(arg);
}
// PINNED: on_helper by mystery_of

HANDLER(on_read) {
  (void)what, (void)arg;
  char byte;
  if (read(fd, &byte, 1) < 0) return;
}
// PINNED: on_read by read

HANDLER(on_memory) { UNUSED; }
// ANY THREAD: on_memory
// SAFE: on_memory on_memory

int main(void) {
  base = event_base_new();
  struct client *client = calloc(1, sizeof *client);
  client->check = mystery_check;
  when_readable(3, on_global, NULL);
  when_readable(4, on_session, client);
  when_readable(5, on_helper, client);
  when_readable(6, on_read, NULL);
  when_readable(7, on_memory, NULL);
  return event_base_dispatch(base);
}
