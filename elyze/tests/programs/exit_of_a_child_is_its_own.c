// The child of fork() ends, and runs other programs, without regard to its parent's handlers.
// CONFLICT always: on_spawn on_spawn: children
// SAFE: on_spawn on_work
// SAFE: on_work on_work
#include "server.h"

_Noreturn static void child(void) {
  execl("/bin/true", "true", (char *)NULL);
  _exit(0);
}

HANDLER(on_spawn) {
  UNUSED;
  if (fork() == 0) child();
}

HANDLER(on_work) {
  UNUSED;
  puts("work");
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_spawn, NULL);
  when_readable(4, on_work, NULL);
  return event_base_dispatch(base);
}
