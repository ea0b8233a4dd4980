// `environ` is what setenv() changes.
// CONFLICT always: on_show on_set: environment
// CONFLICT always: on_set on_set: environment
// SAFE: on_show on_show
#define _GNU_SOURCE
#include "server.h"

HANDLER(on_show) {
  UNUSED;
  if (environ[0] != NULL) puts(environ[0]);
}

HANDLER(on_set) {
  UNUSED;
  setenv("STATE", "on", 1);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_show, NULL);
  when_readable(4, on_set, NULL);
  return event_base_dispatch(base);
}
