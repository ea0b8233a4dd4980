// CONFLICT always: on_a on_a: n
// CONFLICT always: on_a on_b: n
// CONFLICT always: on_b on_b: n
// The kernel gets the function in a structure, by syscall(2).
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>

#include "server.h"

struct action {  // as the kernel has it
  void (*function)(int);
  unsigned long flags;
  void (*restorer)(void);
  unsigned long mask;
};

static int p[2], n;
static void count(int s) {
  (void)s;
  n++;
}

__attribute__((naked)) static void restore(void) { __asm__("mov $15, %eax\n\tsyscall"); }

HANDLER(on_a) {
  UNUSED;
  write(p[1], "x", 1);
}

HANDLER(on_b) {
  UNUSED;
  n++;
  n++;
}

int main(void) {
  struct action action = {count, 0x04000000, restore, 0};
  base = event_base_new();
  pipe(p);
  close(p[0]);
  syscall(SYS_rt_sigaction, SIGPIPE, &action, NULL, 8);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
