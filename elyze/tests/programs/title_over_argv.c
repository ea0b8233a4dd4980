// CONFLICT always: on_a on_a: command line
// CONFLICT always: on_a on_b: words of the command line
// CONFLICT always: on_b on_b: n
/* setproctitle() writes over the words of the command line */
#include "server.h"

extern void setproctitle(const char *, ...);
static char* name;
static size_t n;
extern void setproctitle_init(int, char**, char**);
extern char** environ;
HANDLER(on_a) {
  UNUSED;
  setproctitle("-%s", "busy");
  setproctitle("-%s", "idle");
}
HANDLER(on_b) {
  UNUSED;
  n = strlen(name);
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();
  name = argv[0];
  setproctitle_init(argc, argv, environ);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
