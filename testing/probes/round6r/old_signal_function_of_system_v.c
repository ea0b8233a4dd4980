// possible: default default default\n=0
// What signal() is for a program of -std=c11 -D_XOPEN_SOURCE=700.
#include "p.h"
static const char* name(void (*f)(int)) { return f == SIG_DFL ? "default" : "other"; }
int main(void) {
  base = event_base_new();
  due(base, spare, NULL);
  event_base_dispatch(base);
  printf("%s ", name(sysv_signal(SIGSEGV, SIG_DFL)));
  printf("%s ", name(sysv_signal(SIGABRT, SIG_DFL)));
  printf("%s\n", name(sysv_signal(SIGUSR1, SIG_DFL)));
  return 0;
}
