// possible: active\nread\n=0
#include "p.h"
static int n, p[2];
static const char* said[2];
HANDLER(on_read) {
  UNUSED;
  said[n++] = "read";
}
HANDLER(on_active) {
  UNUSED;
  said[n++] = "active";
}
HANDLER(on_a) {
  UNUSED;
  (void)!write(p[1], "x", 1);
  take(60);
  event_active(event_new(base, -1, 0, on_active, NULL), EV_READ, 1);
}
int main(void) {
  base = event_base_new();
  if (pipe(p) != 0) return 2;
  event_add(event_new(base, p[0], EV_READ, on_read, NULL), NULL);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  for (int i = 0; i < n; ++i) puts(said[i]);
  return 0;
}
