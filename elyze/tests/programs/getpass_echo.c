// CONFLICT always: on_a on_a: contents of some file
// CONFLICT always: on_a on_b: descriptor 0
// CONFLICT always: on_b on_b: echo
/* getpass() turns the echo off meanwhile */
#include "server.h"
#include <termios.h>
static size_t len;
static unsigned echo;
HANDLER(on_a) {
  UNUSED;
  char* p = getpass("?");
  if (p) len = strlen(p);
}
HANDLER(on_b) {
  UNUSED;
  struct termios t;
  tcgetattr(0, &t);
  echo = t.c_lflag & ECHO;
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
