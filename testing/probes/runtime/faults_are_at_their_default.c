// possible: SIGSEGV default, SIGABRT default, SIGUSR1 default\n=0
// The program has installed nothing.
#include "p.h"
static const char* of(int n) {
  struct sigaction a;
  sigaction(n, NULL, &a);
  return a.sa_handler == SIG_DFL ? "default" : "a function";
}
HANDLER(on_a) {
  UNUSED;
  printf("SIGSEGV %s, SIGABRT %s, SIGUSR1 %s\n", of(SIGSEGV), of(SIGABRT), of(SIGUSR1));
}
int main(void) {
  base = event_base_new();
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
