// Which signal a descriptor raises is said by syscall(): reading it may call the function for that signal.
// CONFLICT always: on_read on_read: signals
// CONFLICT always: on_read on_show: signals
// CONFLICT always: on_show on_show: shown
#include "server.h"

#include <signal.h>
#include <sys/syscall.h>

static volatile int signals, shown;
static void on_signal(int number) {
  (void)number;
  signals++;
}
HANDLER(on_read) {
  UNUSED;
  char c;
  if (read(3, &c, 1) < 0) return;
}
HANDLER(on_show) {
  UNUSED;
  shown = signals;
}

int main(void) {
  base = event_base_new();
  signal(SIGUSR2, on_signal);
  syscall(SYS_fcntl, 3, 10 /* F_SETSIG */, SIGUSR2);
  when_readable(4, on_read, NULL);
  when_readable(5, on_show, NULL);
  return event_base_dispatch(base);
}
