// possible: (got\n){1}end\n=0
// on_close closes a descriptor and then frees its event, which is harmless in one thread; the other handler opens a
// pipe and waits for it. Nobody can get the number between the two.
#include "p.h"
struct session {
  int fd;
  struct event* ev;
};
static int end[2];
HANDLER(on_never) { UNUSED; }
HANDLER(on_close) {
  UNUSED;
  struct session* s = arg;
  close(s->fd);
  take(120);
  event_free(s->ev);
}
HANDLER(on_got) {
  UNUSED;
  char c;
  if (read(fd, &c, 1) == 1) puts("got");
}
HANDLER(on_open) {
  UNUSED;
  take(50);
  if (pipe(end) != 0) return;
  event_add(event_new(base, end[0], EV_READ | EV_PERSIST, on_got, NULL), NULL);
  if (write(end[1], "x", 1) != 1) return;
}
int main(void) {
  base = event_base_new();
  struct session* s = calloc(1, sizeof *s);
  int old[2];
  socketpair(AF_UNIX, SOCK_STREAM, 0, old);
  s->fd = old[0];
  s->ev = event_new(base, s->fd, EV_READ | EV_PERSIST, on_never, s);
  event_add(s->ev, NULL);
  due(base, on_close, s);
  due(base, on_open, NULL);
  struct timeval t = {0, 500000};
  event_base_loopexit(base, &t);
  event_base_dispatch(base);
  puts("end");
  return 0;
}
