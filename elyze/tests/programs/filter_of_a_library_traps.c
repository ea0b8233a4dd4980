// A filter that libseccomp loads has a function of the program called inside a forbidden call.
// CONFLICT always: on_work on_work: traps
// CONFLICT always: on_work on_show: traps
// CONFLICT always: on_show on_show: traps
#include "server.h"

#include <signal.h>
typedef void *scmp_filter_ctx; /* <seccomp.h> */
scmp_filter_ctx seccomp_init(unsigned action);
int seccomp_rule_add(scmp_filter_ctx filter, unsigned action, int call, unsigned count, ...);
int seccomp_load(scmp_filter_ctx filter);
static volatile int traps;
static void on_trap(int number) {
  (void)number;
  traps++;
}
HANDLER(on_work) {
  UNUSED;
  close(77);
}
HANDLER(on_show) {
  UNUSED;
  printf("%d\n", traps++);
}

int main(void) {
  base = event_base_new();
  signal(SIGSYS, on_trap);
  scmp_filter_ctx filter = seccomp_init(0x7fff0000);
  seccomp_rule_add(filter, 0x00030000, 3, 0);
  seccomp_load(filter);
  when_readable(3, on_work, NULL);
  when_readable(4, on_show, NULL);
  return event_base_dispatch(base);
}
