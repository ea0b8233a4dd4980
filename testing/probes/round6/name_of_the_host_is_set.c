// Name of the host is set.
// CONFLICT: always: on_a on_b: name of the host
#define _GNU_SOURCE
#include "server.h"
#include <sys/utsname.h>
static struct utsname name;
HANDLER(on_a) {
  UNUSED;
  uname(&name);
}
HANDLER(on_b) {
  UNUSED;
  sethostname("b", 1);
}
int main(void) {
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
