// possible: (12\n){5}=0
// A message is two writes of one handler; who reads the other end never finds half of it.
#include "p.h"
static int end[2];
HANDLER(on_a) {
  UNUSED;
  if (write(end[1], "1", 1) != 1) return;
  take(60);
  if (write(end[1], "2", 1) != 1) return;
}
HANDLER(on_read) {
  UNUSED;
  char text[8] = {0};
  if (read(end[0], text, 7) > 0) puts(text);
}
HANDLER(on_end) {
  UNUSED;
  event_base_loopbreak(base);
}
static void again(int i) {
  struct timeval t = {0, 100000 * i};
  event_base_once(base, -1, EV_TIMEOUT, on_a, NULL, &t);
}
int main(void) {
  if (pipe2(end, O_NONBLOCK) != 0) return 1;
  base = event_base_new();
  event_add(event_new(base, end[0], EV_READ | EV_PERSIST, on_read, NULL), NULL);
  for (int i = 1; i < 6; i++) again(i);
  due(base, spare, NULL);
  due_in(800, on_end, NULL);
  event_base_dispatch(base);
  return 0;
}
