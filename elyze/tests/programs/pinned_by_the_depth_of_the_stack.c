// How far a local variable lies from one of main's tells how deep the stack is, on main's thread.
// SAFE: on_global on_global
// SAFE: on_global on_session
// SAFE: on_global on_helper
// SAFE: on_global on_text
// CONFLICT session: on_session on_session: client->depth
// SAFE: on_session on_helper
// SAFE: on_session on_text
// SAFE: on_helper on_helper
// SAFE: on_helper on_text
// SAFE: on_text on_text
// PINNED: on_global by address of a local variable
// PINNED: on_session by address of a local variable
// PINNED: on_helper by address of a local variable
// ANY THREAD: on_text
#include <stdint.h>

#include "server.h"

struct client {
  char *bottom;
  long depth;
};

static char *bottom;
static uintptr_t limit;

HANDLER(on_global) {
  UNUSED;
  char here;
  if (bottom - &here > 1000000) event_base_loopexit(base, NULL);
}

HANDLER(on_session) {
  (void)fd, (void)what;
  struct client *client = arg;
  char here;
  client->depth = client->bottom - &here;
}

static int too_deep(const char *here) { return (uintptr_t)here < limit; }

HANDLER(on_helper) {
  UNUSED;
  char here;
  if (too_deep(&here)) event_base_loopexit(base, NULL);
}

// Within one variable.
HANDLER(on_text) {
  UNUSED;
  char text[20] = "a word";
  char *end = strchr(text, ' ');
  if (end != NULL && end - text > 3) event_base_loopexit(base, NULL);
  for (char *at = text; at < text + sizeof text; at++) *at = 0;
}

int main(void) {
  char here;
  base = event_base_new();
  bottom = &here;
  limit = (uintptr_t)&here - 1000000;
  when_readable(3, on_global, NULL);
  when_readable(4, on_helper, NULL);
  when_readable(5, on_text, NULL);
  for (int i = 0; i < 2; i++) {
    struct client *client = calloc(1, sizeof *client);
    client->bottom = &here;
    when_readable(6 + i, on_session, client);
  }
  return event_base_dispatch(base);
}
