// What can be read only after the loop was told to exit is not read.
#include "small.h"

static int p[2];
static struct event* in;
HANDLER(on_read) {
  char c;
  (void)what, (void)arg;
  if (read(fd, &c, 1) == 1) {
    char s[3] = {c, '\n', 0};
    say(s);
  }
}
HANDLER(on_a) {
  UNUSED;
  event_base_loopexit(base, NULL);
  take(5);
}
HANDLER(on_b) {
  UNUSED;
  take(30);
  if (write(p[1], "x", 1) != 1) abort();
  take(10);
}
int main(void) {
  base = event_base_new();
  if (pipe(p)) return 1;
  in = event_new(base, p[0], EV_READ | EV_PERSIST, on_read, NULL);
  event_add(in, NULL);
  due(base, on_a, NULL);
  due(base, on_b, NULL);
  event_base_dispatch(base);
  puts("end");
}
