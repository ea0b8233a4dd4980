// warnx() begins with the name that program_invocation_short_name leads to: in a serial run both lines have one name.
// CONFLICT always: on_name on_name: name of the program
// CONFLICT always: on_name on_warn: name of the program
// CONFLICT always: on_warn on_warn: stream stderr
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>

#include "server.h"

HANDLER(on_name) {
  UNUSED;
  program_invocation_short_name = "child";
}

HANDLER(on_warn) {
  UNUSED;
  warnx("hello");
  warnx("again");
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_name, NULL);
  when_readable(4, on_warn, NULL);
  return event_base_dispatch(base);
}
