// For a while the process is another user; who asks meanwhile is told so.
// CONFLICT always: on_a on_b: identity of the process
// CONFLICT always: on_a on_a
// SAFE: on_b on_b
#include "server.h"
static _Atomic long others;
HANDLER(on_a) {
  UNUSED;
  if (seteuid(1000)) abort();
  if (seteuid(0)) abort();
}
HANDLER(on_b) {
  UNUSED;
  if (geteuid() != 0) others++;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
