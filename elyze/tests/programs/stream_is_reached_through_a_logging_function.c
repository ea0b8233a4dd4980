// The function prints once, and a handler calls it twice, or once on either path.
// CONFLICT always: on_twice on_twice: stream stderr
// CONFLICT always: on_twice on_either: stream stderr
// SAFE: on_either on_either
#include "server.h"

static void note(const char *format, ...) {
  va_list list;
  va_start(list, format);
  vfprintf(stderr, format, list);
  va_end(list);
}

HANDLER(on_twice) {
  UNUSED;
  note("in %d\n", fd);
  note("out %d\n", fd);
}

HANDLER(on_either) {
  UNUSED;
  if (what & EV_READ)
    note("readable %d\n", fd);
  else
    note("writable %d\n", fd);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_twice, NULL);
  when_readable(4, on_either, NULL);
  return event_base_dispatch(base);
}
