// Whose children orphans become, is a setting of the process that no entry of waitpid() speaks of: whatever is not
// accounted for meets every system call. In a serial run, on_count never finds an orphan.
// CONFLICT always: on_take on_take: state of the system
// CONFLICT always: on_take on_count: state of the system
// CONFLICT always: on_count on_count: children
// PINNED: on_take by prctl
// SAFE: on_take on_number
// SAFE: on_count on_number
// CONFLICT always: on_number on_number: numbers
#include <sys/prctl.h>
#include <sys/wait.h>

#include "server.h"

static int ended;
static int numbers;

HANDLER(on_take) {
  UNUSED;
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_CHILD_SUBREAPER, 0);
}

HANDLER(on_count) {
  UNUSED;
  if (waitpid(-1, NULL, WNOHANG) > 0) ended++;
}

HANDLER(on_number) {
  UNUSED;
  numbers++;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_take, NULL);
  when_readable(4, on_count, NULL);
  when_readable(5, on_number, NULL);
  return event_base_dispatch(base);
}
