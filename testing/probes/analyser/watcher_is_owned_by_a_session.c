// A watcher of libev is a block of its own, which a session owns and looks at.
// CONFLICT always: on_timer on_io: io->count
// CONFLICT session: on_timer on_timer
// CONFLICT session: on_io on_io: io->count
#include <stdlib.h>
#define WATCHER(type)                             \
  int active, pending, priority;                  \
  void* data;                                     \
  void (*cb)(struct ev_loop*, struct type*, int); \
  double pad[3]
struct ev_loop;
struct ev_io {
  WATCHER(ev_io);
};
struct ev_timer {
  WATCHER(ev_timer);
};
struct ev_loop* ev_default_loop(unsigned);
int ev_run(struct ev_loop*, int);
void ev_io_start(struct ev_loop*, struct ev_io*);
void ev_timer_start(struct ev_loop*, struct ev_timer*);
struct io {
  struct ev_io watcher;
  long count;
};
struct session {
  struct ev_timer timer;
  struct io* io;
};
static void on_io(struct ev_loop* loop, struct ev_io* watcher, int what) {
  (void)loop, (void)what;
  ((struct io*)watcher)->count++;
}
static void on_timer(struct ev_loop* loop, struct ev_timer* watcher, int what) {
  (void)loop, (void)what;
  ((struct session*)watcher)->io->count++;
}
int main(void) {
  struct ev_loop* loop = ev_default_loop(0);
  for (int i = 0; i < 3; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->io = calloc(1, sizeof *s->io);
    s->io->watcher.cb = on_io;
    s->timer.cb = on_timer;
    ev_io_start(loop, &s->io->watcher);
    ev_timer_start(loop, &s->timer);
  }
  return ev_run(loop, 0);
}
