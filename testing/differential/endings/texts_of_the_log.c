/* What the program's log function is told is what libevent says. */
#include "small.h"

HANDLER(on_signal) { UNUSED; }

static void log_without_addresses(int severity, const char* text) {
  char at = 0;
  (void)severity;
  while ((at = *text) != 0) {
    if (strncmp(text, "0x", 2) == 0) {
      putchar('P');
      text += 2 + strspn(text + 2, "0123456789abcdef");
    } else {
      putchar(at);
      ++text;
    }
  }
  putchar('\n');
}

int main(void) {
  event_set_log_callback(log_without_addresses);
  base = event_base_new();
  struct event_base* const other = event_base_new();
  event_add(event_new(base, 77, EV_READ, on_signal, NULL), NULL);
  event_add(evsignal_new(base, SIGUSR1, on_signal, NULL), NULL);
  event_add(evsignal_new(other, SIGUSR2, on_signal, NULL), NULL);
  return 0;
}
