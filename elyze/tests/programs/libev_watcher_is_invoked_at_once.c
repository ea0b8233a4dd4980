// libev: ev_invoke() calls a watcher's callback in the middle of the handler; ev_set_cb() has put it there.
// CONFLICT always: on_read on_read: total
// CONFLICT always: on_read on_sum: total
// CONFLICT always: on_sum on_sum: total

struct ev_loop;

typedef struct ev_io {
  int active, pending, priority;
  void *data;
  void (*cb)(struct ev_loop *loop, struct ev_io *w, int revents);
  void *next;
  int fd, events;
} ev_io;

extern struct ev_loop *ev_default_loop(unsigned flags);
extern void ev_io_start(struct ev_loop *loop, ev_io *w);
extern void ev_invoke(struct ev_loop *loop, void *w, int revents);
extern int ev_run(struct ev_loop *loop, int flags);

static ev_io first, second;
static long total;

static void add(struct ev_loop *loop, ev_io *w, int revents) {
  (void)loop, (void)w;
  total += revents;
}

static void on_read(struct ev_loop *loop, ev_io *w, int revents) {
  (void)w;
  ev_invoke(loop, &second, revents);
}

static void on_sum(struct ev_loop *loop, ev_io *w, int revents) {
  (void)loop, (void)w, (void)revents;
  total = 0;
}

static ev_io third;

int main(void) {
  struct ev_loop *loop = ev_default_loop(0);
  first.cb = on_read;
  first.fd = 3;
  second.cb = add;
  third.cb = on_sum;
  third.fd = 4;
  first.events = third.events = 1;
  ev_io_start(loop, &first);
  ev_io_start(loop, &third);
  return ev_run(loop, 0);
}
