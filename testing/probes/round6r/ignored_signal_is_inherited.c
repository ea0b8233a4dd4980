// possible: fine\n=0
// The program ignores signals, and starts itself anew: they stay ignored.
#include "p.h"
HANDLER(on_a) { UNUSED; raise(SIGUSR1); kill(getpid(), SIGABRT); raise(SIGSEGV); puts("fine"); }
int main(int n, char** words) {
  if (n == 1) {
    signal(SIGUSR1, SIG_IGN);
    signal(SIGABRT, SIG_IGN);
    signal(SIGSEGV, SIG_IGN);
    execl(words[0], words[0], "again", NULL);
  }
  base = event_base_new();
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
