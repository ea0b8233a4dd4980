// possible: Added a signal to event base P with signals already added to event_base P\.  Only one can have signals at a time with the epoll backend\..*\n=0
#include "p.h"
HANDLER(on_a) { UNUSED; }
static void logged(int severity, const char* text) {
  (void)severity;
  for (; *text; ++text)
    if (strncmp(text, "0x", 2) == 0) { putchar('P'); text += strcspn(text, " .") - 1; } else putchar(*text);
  putchar('\n');
}
int main(void) {
  event_set_log_callback(logged);
  base = event_base_new();
  struct event_base* other = event_base_new();
  event_add(evsignal_new(base, SIGUSR1, on_a, NULL), NULL);
  event_add(evsignal_new(other, SIGUSR2, on_a, NULL), NULL);
  return 0;
}
