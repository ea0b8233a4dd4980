// openat() with AT_FDCWD reads the working directory, and so do functions that make a file of a template.
// CONFLICT always: on_open on_move: working directory
// CONFLICT always: on_temporary on_move: working directory
// CONFLICT always: on_move on_move: working directory
// SAFE: on_open on_open
// SAFE: on_open on_temporary
// SAFE: on_temporary on_temporary
#include "server.h"

HANDLER(on_open) {
  UNUSED;
  close(openat(AT_FDCWD, "data", O_RDONLY));
}

HANDLER(on_temporary) {
  UNUSED;
  char name[] = "dataXXXXXX";
  close(mkstemp(name));
}

HANDLER(on_move) {
  UNUSED;
  if (chdir("/tmp") != 0) return;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_open, NULL);
  when_readable(4, on_temporary, NULL);
  when_readable(5, on_move, NULL);
  return event_base_dispatch(base);
}
