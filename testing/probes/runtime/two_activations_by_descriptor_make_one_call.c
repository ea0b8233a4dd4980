// possible: called 6\nend\n=0
#include "p.h"
static int end[2];
HANDLER(on_other) {
  UNUSED;
  printf("called %d\n", what);
}
HANDLER(on_a) {
  UNUSED;
  event_base_active_by_fd(base, end[0], EV_READ);
  take(80);
  event_base_active_by_fd(base, end[0], EV_WRITE);
}
HANDLER(on_end) {
  UNUSED;
  event_base_loopbreak(base);
}
int main(void) {
  base = event_base_new();
  socketpair(AF_UNIX, SOCK_STREAM, 0, end);
  char full[4096] = {0};
  fcntl(end[0], F_SETFL, O_NONBLOCK);
  while (write(end[0], full, sizeof full) > 0) continue;
  event_add(event_new(base, end[0], EV_READ | EV_WRITE | EV_PERSIST, on_other, NULL), NULL);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  due_in(300, on_end, NULL);
  event_base_dispatch(base);
  puts("end");
  return 0;
}
