// possible: (handled\n){20}=0
// main blocks the signal; the loop's thread alone has it unblocked, so sigqueue() to the process finds that thread, and
// its function has run when the call returns (POSIX, kill()).
#include "p.h"
static volatile sig_atomic_t handled;
static void on_function(int n) {
  (void)n;
  handled = 1;
}
HANDLER(on_slow) {
  UNUSED;
  take(15);
}
HANDLER(on_a) {
  UNUSED;
  handled = 0;
  sigqueue(getpid(), SIGUSR2, (union sigval){0});
  puts(handled ? "handled" : "not yet");
}
static void* run(void* x) {
  sigset_t s;
  sigemptyset(&s), sigaddset(&s, SIGUSR2);
  pthread_sigmask(SIG_UNBLOCK, &s, NULL);
  event_base_dispatch(base);
  return x;
}
int main(void) {
  sigset_t s;
  sigemptyset(&s), sigaddset(&s, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &s, NULL);
  struct sigaction a = {.sa_handler = on_function};
  sigaction(SIGUSR2, &a, NULL);
  evthread_use_pthreads();
  base = event_base_new();
  for (int i = 0; i < 20; i++) due(base, on_slow, NULL), due(base, on_slow, NULL), due(base, on_a, NULL);
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  pthread_join(t, NULL);
  return 0;
}
