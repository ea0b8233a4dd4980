// possible: (12\n){4}=0
#include "p.h"
struct session {
  int in, out;
};
HANDLER(on_a) {
  UNUSED;
  struct session* s = arg;
  if (send(s->out, "1", 1, 0) != 1) return;
  take(60);
  if (send(s->out, "2", 1, 0) != 1) return;
}
HANDLER(on_read) {
  UNUSED;
  char text[8] = {0};
  if (recv(fd, text, 7, 0) > 0) puts(text);
}
int main(void) {
  base = event_base_new();
  for (int i = 0; i < 4; i++) {
    struct session* s = calloc(1, sizeof *s);
    int end[2];
    socketpair(AF_UNIX, SOCK_STREAM, 0, end);
    s->in = end[0], s->out = end[1];
    event_add(event_new(base, s->in, EV_READ | EV_PERSIST, on_read, s), NULL);
    due(base, on_a, s);
  }
  struct timeval t = {0, 700000};
  event_base_loopexit(base, &t);
  event_base_dispatch(base);
  return 0;
}
