// possible: Tried to mix edge-triggered and non-edge-triggered events on fd N\n0 -1\n=0
#include "p.h"
HANDLER(on_a) { UNUSED; }
static void logged(int severity, const char* text) {
  (void)severity;
  for (; *text; ++text)
    if (*text >= '0' && *text <= '9') putchar('N'); else putchar(*text);
  putchar('\n');
}
int main(void) {
  event_set_log_callback(logged);
  event_enable_debug_mode();
  base = event_base_new();
  int p[2];
  if (pipe2(p, O_NONBLOCK) != 0) return 2;
  int a = event_add(event_new(base, p[0], EV_READ | EV_ET, on_a, NULL), NULL);
  int b = event_add(event_new(base, p[0], EV_READ, on_a, NULL), NULL);
  printf("%d %d\n", a, b);
  return 0;
}
