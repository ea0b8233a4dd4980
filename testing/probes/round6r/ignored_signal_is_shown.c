// possible: ignored ignored\n=0
#include "p.h"
static const char* name(int n) {
  struct sigaction a;
  sigaction(n, NULL, &a);
  return a.sa_handler == SIG_IGN ? "ignored" : a.sa_handler == SIG_DFL ? "default" : "other";
}
int main(int n, char** words) {
  if (n == 1) {
    signal(SIGUSR1, SIG_IGN);
    signal(SIGSEGV, SIG_IGN);
    execl(words[0], words[0], "again", NULL);
  }
  base = event_base_new();
  due(base, spare, NULL);
  event_base_dispatch(base);
  printf("%s ", name(SIGUSR1));
  puts(name(SIGSEGV));
  return 0;
}
