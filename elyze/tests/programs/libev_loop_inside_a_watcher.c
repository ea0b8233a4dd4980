// libev: a watcher that runs the loop of others, or is told to call what is pending, calls their handlers.
// CONFLICT always: on_outer on_outer: event loop
// CONFLICT always: on_outer on_inner: event loop
// CONFLICT always: on_outer on_count: event loop
// CONFLICT always: on_inner on_inner: counter
// CONFLICT always: on_inner on_count: counter
// CONFLICT always: on_count on_count: counter

#include <stddef.h>

struct ev_loop;

typedef struct ev_timer {
  int active, pending, priority;
  void *data;
  void (*cb)(struct ev_loop *loop, struct ev_timer *w, int revents);
  double at, repeat;
} ev_timer;

extern struct ev_loop *ev_default_loop(unsigned flags);
extern struct ev_loop *ev_loop_new(unsigned flags);
extern void ev_timer_start(struct ev_loop *loop, ev_timer *w);
extern int ev_run(struct ev_loop *loop, int flags);

static struct ev_loop *inner;
static ev_timer watchers[3];
static int counter;

static void on_outer(struct ev_loop *loop, ev_timer *w, int revents) {
  (void)loop, (void)w, (void)revents;
  ev_run(inner, 1);
}

static void on_inner(struct ev_loop *loop, ev_timer *w, int revents) {
  (void)loop, (void)w, (void)revents;
  counter++;
}

static void on_count(struct ev_loop *loop, ev_timer *w, int revents) {
  (void)loop, (void)w, (void)revents;
  counter = 0;
}

static void start(struct ev_loop *loop, ev_timer *w, void (*cb)(struct ev_loop *, ev_timer *, int)) {
  w->cb = cb;
  w->at = w->repeat = 1;
  ev_timer_start(loop, w);
}

int main(void) {
  struct ev_loop *loop = ev_default_loop(0);
  inner = ev_loop_new(0);
  start(loop, &watchers[0], on_outer);
  start(inner, &watchers[1], on_inner);
  start(loop, &watchers[2], on_count);
  return ev_run(loop, 0);
}
