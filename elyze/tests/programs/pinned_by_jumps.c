// A jump goes to a place on the stack of its thread. Where places are noted in memory that outlives the function, a jump
// may leave its invocation.
#include <setjmp.h>

#include "server.h"

struct client {
  jmp_buf failed;
  int errors;
};

static jmp_buf failed;
static int never;

HANDLER(on_global) {
  UNUSED;
  if (setjmp(failed) == 0) never = 0;
}
// PINNED: on_global by _setjmp

HANDLER(on_session) {
  (void)fd, (void)what;
  struct client *client = arg;
  if (setjmp(client->failed) != 0) client->errors++;
}
// PINNED: on_session by _setjmp

static void fail(jmp_buf *where) {
  if (never) longjmp(*where, 1);
}

HANDLER(on_jump) {
  (void)fd, (void)what;
  struct client *client = arg;
  fail(&client->failed);
}
// PINNED: on_jump by longjmp

HANDLER(on_local) {
  UNUSED;
  jmp_buf here;
  if (setjmp(here) == 0) never = 0;
}
// ANY THREAD: on_local
// CONFLICT always: on_local on_local: never

int main(void) {
  base = event_base_new();
  struct client *client = calloc(1, sizeof *client);
  when_readable(3, on_global, NULL);
  when_readable(4, on_session, client);
  when_readable(5, on_jump, client);
  when_readable(6, on_local, NULL);
  return event_base_dispatch(base);
}
