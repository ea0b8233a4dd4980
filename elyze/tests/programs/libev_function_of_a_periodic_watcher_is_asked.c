// ev_periodic_again() asks the watcher's own function when it is next due, and so does ev_now_update() where the clock
// was set (ev(3), "reschedule callback").
// CONFLICT always: on_again on_count: asked
// CONFLICT always: on_update on_count: asked
// CONFLICT always: on_again on_again
// CONFLICT always: on_update on_update
// CONFLICT always: on_again on_update
// CONFLICT always: on_count on_count: asked
// SAFE: on_daily on_count
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

static ev_periodic daily;
static ev_timer again, updating, counting;
static int asked;

static double next(ev_periodic *w, double now) {
  (void)w;
  ++asked;
  return now + 100;
}
static void on_daily(struct ev_loop *loop, ev_periodic *w, int events) { (void)loop, (void)w, (void)events; }
static void on_again(struct ev_loop *loop, ev_timer *w, int events) {
  (void)w, (void)events;
  ev_periodic_again(loop, &daily);
}
static void on_update(struct ev_loop *loop, ev_timer *w, int events) {
  (void)w, (void)events;
  ev_now_update(loop);
}
static void on_count(struct ev_loop *loop, ev_timer *w, int events) {
  (void)loop, (void)w, (void)events;
  asked += 2;
}
static void start(struct ev_loop *loop, ev_timer *timer, void (*cb)(struct ev_loop *, ev_timer *, int)) {
  timer->cb = cb;
  timer->repeat = 1;
  ev_timer_start(loop, timer);
}

int main(void) {
  struct ev_loop *loop = ev_default_loop(0);
  daily.cb = on_daily;
  daily.reschedule = next;
  ev_periodic_start(loop, &daily);
  start(loop, &again, on_again);
  start(loop, &updating, on_update);
  start(loop, &counting, on_count);
  return ev_run(loop, 0);
}
