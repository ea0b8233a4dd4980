// After event_base_loopcontinue() the loop polls before it calls the next handler.
#include "small.h"

static int p[2];
static char log_[16];
HANDLER(on_hi) {
  char c;
  (void)what, (void)arg;
  if (read(fd, &c, 1) == 1) strcat(log_, "h");
}
HANDLER(on_a) {
  UNUSED;
  take(10);
  if (write(p[1], "x", 1) != 1) abort();
  event_base_loopcontinue(base);
}
HANDLER(on_b) {
  UNUSED;
  strcat(log_, "b");
}
int main(void) {
  base = event_base_new();
  event_base_priority_init(base, 2);
  if (pipe(p)) return 1;
  struct event* h = event_new(base, p[0], EV_READ, on_hi, NULL);
  event_priority_set(h, 0);
  event_add(h, NULL);
  struct event *a = event_new(base, -1, 0, on_a, NULL), *b = event_new(base, -1, 0, on_b, NULL);
  event_priority_set(a, 1);
  event_priority_set(b, 1);
  event_active(a, EV_READ, 1);
  event_active(b, EV_READ, 1);
  event_base_dispatch(base);
  puts(log_);
}
