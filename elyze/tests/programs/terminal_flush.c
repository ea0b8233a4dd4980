// CONFLICT always: on_a on_a: contents of some file
// CONFLICT always: on_a on_b: contents of tty
// CONFLICT always: on_b on_b: file of tb
/* tcflush through one opening, read through another: A throws away twice */
#include "server.h"
#include <termios.h>
static int ta, tb;
static long n, lost;
HANDLER(on_a) {
  UNUSED;
  tcflush(ta, TCIFLUSH);
  lost++;
}
HANDLER(on_b) {
  UNUSED;
  char t[2];
  n = read(tb, t, 1);
  n += read(tb, t + 1, 1);
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();
  ta = open("/dev/tty", O_RDWR);
  tb = open("/dev/tty", O_RDWR | O_NONBLOCK);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
