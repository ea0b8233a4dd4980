// possible: code 0\n=0
// kill() gives SI_USER (0); raise() would give SI_TKILL (-6).
#include "p.h"
static volatile sig_atomic_t code = 77;
static void on_function(int n, siginfo_t* info, void* c) {
  (void)n, (void)c;
  code = info->si_code;
}
HANDLER(on_a) {
  UNUSED;
  kill(getpid(), SIGUSR2);
  printf("code %d\n", (int)code);
}
int main(void) {
  struct sigaction a = {.sa_sigaction = on_function, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigaction(SIGUSR2, &a, NULL);
  base = event_base_new();
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
