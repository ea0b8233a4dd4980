// The numbers of these calls are known: none gives a file a second name.
// CONFLICT always: on_a on_a
// SAFE: on_a on_b
// CONFLICT always: on_b on_b
#include "server.h"

#include <sys/syscall.h>

HANDLER(on_a) {
  UNUSED;
  close(open("a", O_WRONLY | O_TRUNC));
}
HANDLER(on_b) {
  UNUSED;
  close(open("b", O_WRONLY | O_TRUNC));
}

int main(void) {
  base = event_base_new();
  if (syscall(SYS_gettid) == syscall(SYS_getpid)) when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
