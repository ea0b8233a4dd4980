// /dev/stdout is what descriptor 1 leads to (proc(5)).
// CONFLICT always: on_pair on_pair: contents of some file
// CONFLICT always: on_pair on_letter: state that files of the kernel show
// CONFLICT always: on_letter on_letter: what 0, 1 and 2 lead to
#include "server.h"

HANDLER(on_pair) {
  UNUSED;
  int t = open("/dev/stdout", O_WRONLY);
  write(t, "a", 1);
  write(t, "b", 1);
  close(t);
}

HANDLER(on_letter) {
  UNUSED;
  write(1, "x", 1);
  write(1, "y", 1);
}

int main(void) {
  base = event_base_new();

  when_readable(3, on_pair, NULL);
  when_readable(4, on_letter, NULL);
  return event_base_dispatch(base);
}
