// CONFLICT always: on_a on_a: contents of some file
// CONFLICT always: on_a on_b: contents of tty
// CONFLICT always: on_b on_b: echo
/* raw for a moment, seen through another opening of /dev/tty */
#include "server.h"
#include <termios.h>
static int ta, tb;
static unsigned echo;
HANDLER(on_a) {
  UNUSED;
  struct termios t, o;
  tcgetattr(ta, &t);
  o = t;
  t.c_lflag &= ~ECHO;
  tcsetattr(ta, TCSANOW, &t);
  tcsetattr(ta, TCSANOW, &o);
}
HANDLER(on_b) {
  UNUSED;
  struct termios t;
  tcgetattr(tb, &t);
  echo = t.c_lflag & ECHO;
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();
  ta = open("/dev/tty", O_RDWR);
  tb = open("/dev/tty", O_RDWR);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
