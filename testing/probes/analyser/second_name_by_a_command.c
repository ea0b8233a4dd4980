// ln(1) run by main makes a second name.
// CONFLICT always: on_a on_b
#include "server.h"

static int out;

HANDLER(on_a) {
  UNUSED;
  write(out, "a", 1);
  write(out, "b", 1);
}

HANDLER(on_b) {
  UNUSED;
  char t[8];
  int in = open("/tmp/elyze-second", O_RDONLY);
  read(in, t, 8);
  close(in);
}

int main(int argc, char **argv) {
  (void)argc, (void)argv;
  base = event_base_new();
  out = open("/tmp/elyze-first", O_WRONLY | O_CREAT | O_APPEND, 0600);
  system("ln -f /tmp/elyze-first /tmp/elyze-second");
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
