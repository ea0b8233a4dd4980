// The first write to a protected page is counted by the function for SIGSEGV, which then allows it.
// CONFLICT always: on_a on_b: dirty
// CONFLICT always: on_a on_a
// CONFLICT always: on_b on_b
#define _GNU_SOURCE
#include <signal.h>
#include <sys/mman.h>
#include "server.h"
static char one[4096] __attribute__((aligned(4096))), two[4096] __attribute__((aligned(4096)));
static long dirty;
static void fault(int number, siginfo_t* info, void* context) {
  (void)number, (void)context;
  dirty++;
  mprotect((void*)((unsigned long)info->si_addr & ~4095UL), 4096, PROT_READ | PROT_WRITE);
}
HANDLER(on_a) {
  UNUSED;
  one[0]++;
}
HANDLER(on_b) {
  UNUSED;
  two[0]++;
}

int main(void) {
  base = event_base_new();
  struct sigaction action = {.sa_sigaction = fault, .sa_flags = SA_SIGINFO};
  sigaction(SIGSEGV, &action, NULL);
  mprotect(one, 4096, PROT_READ);
  mprotect(two, 4096, PROT_READ);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
