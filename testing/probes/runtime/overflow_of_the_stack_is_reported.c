// possible: (fine\n)*overflow\n=3
// A crash reporter on an alternate stack, which main has set up: it works wherever the only thread overflows.
#include "p.h"
static char stack[65536];
static void on_fault(int n) {
  (void)n;
  if (write(1, "overflow\n", 9) != 9) _exit(4);
  _exit(3);
}
static int deeper(volatile char* from, int n) {
  volatile char room[4096];
  room[0] = from[0], room[n % 4096] = 1;
  return n > 100000000 ? 0 : deeper(room, n + 1) + room[1];
}
HANDLER(on_slow) {
  UNUSED;
  take(60);
}
HANDLER(on_a) {
  UNUSED;
  volatile char c = 1;
  printf("%d\n", deeper(&c, *(int*)arg));
}
int main(void) {
  stack_t s = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&s, NULL);
  struct sigaction a = {.sa_handler = on_fault, .sa_flags = SA_ONSTACK};
  sigaction(SIGSEGV, &a, NULL);
  base = event_base_new();
  static int session[4];
  for (int i = 0; i < 3; i++) due(base, on_slow, &session[i]);
  due(base, on_a, &session[3]);
  event_base_dispatch(base);
  return 0;
}
