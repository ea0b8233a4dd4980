// Each session starts its own watcher again, which asks the session's function when it is next due: that counts for all.
// CONFLICT always: on_due on_due: asked
// CONFLICT always: on_due on_look: asked
// SAFE: on_look on_look
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
extern void ev_periodic_again(struct ev_loop *, ev_periodic *);
extern void ev_periodic_start(struct ev_loop *, ev_periodic *);
extern void ev_timer_start(struct ev_loop *, ev_timer *);
extern int ev_run(struct ev_loop *, int);

struct session {
  ev_periodic due;
  int times;
};
static ev_timer looking;
static int asked;

static double next(ev_periodic *w, double now) {
  ((struct session *)w)->times++;
  ++asked;
  return now + 0.01;
}
static void on_due(struct ev_loop *loop, ev_periodic *w, int events) {
  (void)events;
  ev_periodic_start(loop, w);
}
static void on_look(struct ev_loop *loop, ev_timer *w, int events) {
  (void)loop, (void)w, (void)events;
  if (asked > 1000) abort();
}

int main(void) {
  struct ev_loop *loop = ev_default_loop(0);
  for (int i = 0; i < 3; ++i) {
    struct session *one = calloc(1, sizeof *one);
    one->due.cb = on_due;
    one->due.reschedule = next;
    ev_periodic_start(loop, &one->due);
  }
  looking.cb = on_look;
  looking.repeat = 1;
  ev_timer_start(loop, &looking);
  return ev_run(loop, 0);
}
