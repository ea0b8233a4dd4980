// A timer of libev ends after a while from the loop's time on, which ev_now_update() sets anew for all.
// CONFLICT always: on_update on_start: default loop of libev
// CONFLICT always: on_update on_update
// CONFLICT session: on_start on_start: session->starts
// SAFE: on_update on_stop
// CONFLICT session: on_start on_stop: session->reading
// CONFLICT session: on_stop on_stop: session->reading
#include <stddef.h>

#include "server.h"

struct ev_loop;
typedef struct ev_io {
  int active, pending, priority;
  void *data;
  void (*cb)(struct ev_loop *, struct ev_io *, int);
  void *next;
  int fd, events;
} ev_io;
typedef struct ev_timer {
  int active, pending, priority;
  void *data;
  void (*cb)(struct ev_loop *, struct ev_timer *, int);
  double at, repeat;
} ev_timer;
extern struct ev_loop *ev_default_loop(unsigned);
extern void ev_now_update(struct ev_loop *);
extern void ev_io_start(struct ev_loop *, ev_io *);
extern void ev_io_stop(struct ev_loop *, ev_io *);
extern void ev_timer_start(struct ev_loop *, ev_timer *);
extern int ev_run(struct ev_loop *, int);

struct session {
  ev_timer timer;
  ev_io reading;
  long starts;
};
static ev_timer updating;

static void on_update(struct ev_loop *loop, ev_timer *w, int events) {
  (void)w, (void)events;
  ev_now_update(loop);
}
static void on_start(struct ev_loop *loop, ev_timer *w, int events) {
  struct session *session = (struct session *)w;
  (void)events;
  session->starts++;
  ev_io_start(loop, &session->reading);
  ev_timer_start(loop, &session->timer);
}
static void on_stop(struct ev_loop *loop, ev_io *w, int events) {
  (void)events;
  ev_io_stop(loop, w);
}

int main(void) {
  struct ev_loop *loop = ev_default_loop(0);
  updating.cb = on_update;
  updating.repeat = 1;
  ev_timer_start(loop, &updating);
  for (int fd = 3; fd < 6; fd++) {
    struct session *session = calloc(1, sizeof *session);
    session->timer.cb = on_start;
    session->timer.at = 1;
    session->reading.cb = on_stop;
    session->reading.fd = fd;
    session->reading.events = 1;
    ev_timer_start(loop, &session->timer);
  }
  return ev_run(loop, 0);
}
