// ev_now_update() gives periodic watchers of the loop another time where the clock was set; ev_periodic_at() is a macro
// that reads it (ev(3)).
// CONFLICT always: on_update on_look: daily
// CONFLICT always: on_look on_look: last
// CONFLICT always: on_update on_update
#include "server.h"

struct ev_loop;
typedef struct ev_periodic {
  int active, pending, priority;
  void *data;
  void (*cb)(struct ev_loop *, struct ev_periodic *, int);
  double at, offset, interval;
  double (*reschedule)(struct ev_periodic *, double);
} ev_periodic;
typedef struct ev_timer {
  int active, pending, priority;
  void *data;
  void (*cb)(struct ev_loop *, struct ev_timer *, int);
  double at, repeat;
} ev_timer;
extern struct ev_loop *ev_default_loop(unsigned);
extern void ev_now_update(struct ev_loop *);
extern void ev_periodic_start(struct ev_loop *, ev_periodic *);
extern void ev_timer_start(struct ev_loop *, ev_timer *);
extern int ev_run(struct ev_loop *, int);

static ev_periodic daily;
static ev_timer updating;
static double last;

static void on_update(struct ev_loop *loop, ev_timer *w, int events) {
  (void)w, (void)events;
  ev_now_update(loop);
}
static void on_look(struct ev_loop *loop, ev_periodic *w, int events) {
  (void)loop, (void)w, (void)events;
  last = daily.at;
}

int main(void) {
  struct ev_loop *loop = ev_default_loop(0);
  daily.cb = on_look;
  daily.interval = 86400;
  ev_periodic_start(loop, &daily);
  updating.cb = on_update;
  updating.repeat = 1;
  ev_timer_start(loop, &updating);
  return ev_run(loop, 0);
}
