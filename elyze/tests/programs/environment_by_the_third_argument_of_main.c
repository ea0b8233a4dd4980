// The third argument of main is the environment (POSIX, exec): who writes there changes what getenv() finds.
// CONFLICT always: on_write on_write: environment
// CONFLICT always: on_write on_ask: environment
// CONFLICT always: on_ask on_ask: n
#include "server.h"

static char** env;
static int n;

HANDLER(on_write) {
  UNUSED;
  env[0][0] ^= 1;
  env[0][0] ^= 1;
}

HANDLER(on_ask) {
  UNUSED;
  n += getenv("MODE") != NULL;
}

int main(int argc, char** argv, char** envp) {
  (void)argc, (void)argv;
  env = envp;
  base = event_base_new();
  when_readable(3, on_write, NULL);
  when_readable(4, on_ask, NULL);
  return event_base_dispatch(base);
}
