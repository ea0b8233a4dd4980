// libev: what is fed to a descriptor makes the watchers of that descriptor pending.
// SAFE: on_other on_other
// CONFLICT always: on_other on_a: third
// SAFE: on_other on_b
// CONFLICT always: on_a on_a: third
// CONFLICT always: on_a on_b: third, third.pending
// CONFLICT always: on_b on_b: seen

struct ev_loop;

typedef struct ev_io {
  int active, pending, priority;
  void* data;
  void (*cb)(struct ev_loop* loop, struct ev_io* w, int revents);
  void* next;
  int fd, events;
} ev_io;

extern struct ev_loop* ev_default_loop(unsigned flags);
extern void ev_io_start(struct ev_loop* loop, ev_io* w);
extern int ev_run(struct ev_loop* loop, int flags);
extern void ev_feed_fd_event(struct ev_loop* loop, int fd, int revents);

static ev_io first, second;
static struct ev_loop* loop;
static void on_other(struct ev_loop* l, ev_io* w, int revents) { (void)l, (void)w, (void)revents; }
static ev_io third;
static int seen;

static void on_a(struct ev_loop* loop, ev_io* w, int revents) {
  (void)w, (void)revents;
  ev_feed_fd_event(loop, 5, 1);
}

static void on_b(struct ev_loop* loop, ev_io* w, int revents) {
  (void)loop, (void)w, (void)revents;
  seen = third.pending;
}

int main(void) {
  loop = ev_default_loop(0);
  first.cb = on_a;
  first.fd = 3;
  second.cb = on_b;
  second.fd = 4;
  first.events = second.events = 1;
  ev_io_start(loop, &first);
  ev_io_start(loop, &second);
  third.cb = on_other;
  third.fd = 5;
  third.events = 1;
  ev_io_start(loop, &third);
  return ev_run(loop, 0);
}
