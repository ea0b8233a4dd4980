// libev: the data of each watcher is the session that the watcher stands in, set before it is started. Only what the
// library is called for is declared here.
// CONFLICT session: on_read on_read: session->bytes
// CONFLICT session: on_read on_timeout: session->bytes
// CONFLICT session: on_timeout on_timeout: session->bytes

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct ev_loop;

typedef struct ev_watcher {
  int active, pending, priority;
  void *data;
  void (*cb)(struct ev_loop *loop, struct ev_watcher *w, int revents);
} ev_watcher;

typedef struct ev_io {
  int active, pending, priority;
  void *data;
  void (*cb)(struct ev_loop *loop, struct ev_io *w, int revents);
  void *next;
  int fd, events;
} ev_io;

typedef struct ev_timer {
  int active, pending, priority;
  void *data;
  void (*cb)(struct ev_loop *loop, struct ev_timer *w, int revents);
  double at, repeat;
} ev_timer;

typedef struct ev_signal {
  int active, pending, priority;
  void *data;
  void (*cb)(struct ev_loop *loop, struct ev_signal *w, int revents);
  void *next;
  int signum;
} ev_signal;

extern struct ev_loop *ev_default_loop(unsigned flags);
extern void ev_io_start(struct ev_loop *loop, ev_io *w);
extern void ev_timer_start(struct ev_loop *loop, ev_timer *w);
extern void ev_timer_stop(struct ev_loop *loop, ev_timer *w);
extern void ev_io_stop(struct ev_loop *loop, ev_io *w);
extern void ev_signal_start(struct ev_loop *loop, ev_signal *w);
extern void ev_break(struct ev_loop *loop, int how);
extern int ev_run(struct ev_loop *loop, int flags);

#define ev_init(w, callback)                                                                   \
  do {                                                                                         \
    ((ev_watcher *)(void *)(w))->active = ((ev_watcher *)(void *)(w))->pending = 0;            \
    ((ev_watcher *)(void *)(w))->priority = 0;                                                 \
    (w)->cb = (callback);                                                                      \
    memmove(&((ev_watcher *)(void *)(w))->cb, &(w)->cb, sizeof((w)->cb));                      \
  } while (0)


struct session {
  long bytes;
  ev_io io;
  ev_timer timer;
};

static void on_read(struct ev_loop *loop, ev_io *w, int revents) {
  struct session *s = w->data;
  (void)loop, (void)revents;
  s->bytes++;
}

static void on_timeout(struct ev_loop *loop, ev_timer *w, int revents) {
  struct session *s = w->data;
  (void)revents;
  s->bytes = 0;
  ev_timer_stop(loop, &s->timer);
}

int main(void) {
  struct ev_loop *loop = ev_default_loop(0);
  for (int fd = 3; fd < 9; fd++) {
    struct session *s = calloc(1, sizeof *s);
    if (s == NULL) return 1;
    ev_init(&s->io, on_read);
    s->io.fd = fd;
    s->io.events = 1;
    s->io.data = s;
    ev_io_start(loop, &s->io);
    ev_init(&s->timer, on_timeout);
    s->timer.at = 5;
    s->timer.repeat = 0;
    s->timer.data = s;
    ev_timer_start(loop, &s->timer);
  }
  return ev_run(loop, 0);
}
