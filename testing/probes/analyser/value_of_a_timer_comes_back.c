// The pointer that a timer was made with is read from a descriptor for signals.
// CONFLICT always: on_signal on_b: item->hits
// CONFLICT always: on_signal on_signal
// CONFLICT always: on_b on_b: item->hits
#include <signal.h>
#include <stdint.h>
#include <sys/signalfd.h>
#include "server.h"
struct item {
  long hits;
};
static struct item item;
static int signals;
HANDLER(on_signal) {
  UNUSED;
  struct signalfd_siginfo info;
  if (read(signals, &info, sizeof info) == sizeof info) ((struct item*)(uintptr_t)info.ssi_ptr)->hits++;
}
HANDLER(on_b) {
  UNUSED;
  item.hits++;
}
int main(void) {
  timer_t timer;
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  sigprocmask(SIG_BLOCK, &one, NULL);
  struct sigevent how = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1, .sigev_value.sival_ptr = &item};
  struct itimerspec when = {{1, 0}, {1, 0}};
  base = event_base_new();
  timer_create(CLOCK_MONOTONIC, &how, &timer);
  timer_settime(timer, 0, &when, NULL);
  signals = signalfd(-1, &one, 0);
  when_readable(signals, on_signal, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
