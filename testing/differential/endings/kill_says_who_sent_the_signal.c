// The function of a signal that a handler sends its own process is told how it was sent, and by whom.
#include "small.h"

static volatile sig_atomic_t code = 99, value;
static pid_t sender;
static void on_signal(int number, siginfo_t* info, void* context) {
  (void)number, (void)context;
  code = info->si_code;
  sender = info->si_pid;
  value = info->si_value.sival_int;
}
HANDLER(on_work) {
  UNUSED;
  take(5);
}
HANDLER(on_kill) {
  UNUSED;
  char text[64];
  kill(getpid(), SIGUSR2);
  snprintf(text, sizeof text, "kill: %d %d\n", (int)code == SI_USER, sender == getpid());
  say(text);
  sigqueue(getpid(), SIGUSR2, (union sigval){.sival_int = 7});
  snprintf(text, sizeof text, "sigqueue: %d %d\n", (int)code == SI_QUEUE, (int)value);
  say(text);
  raise(SIGUSR2);
  snprintf(text, sizeof text, "raise: %d\n", (int)code == SI_TKILL);
  say(text);
}
int main(void) {
  struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
  sigaction(SIGUSR2, &action, NULL);
  base = event_base_new();
  for (int i = 0; i < 2; ++i) due(base, on_work, NULL);
  due(base, on_kill, NULL);
  event_base_dispatch(base);
  puts("end");
}
