// libev: ev_stat_stat() reads the path that the program keeps.
// SAFE: on_change on_change
// CONFLICT always: on_change on_a: third
// SAFE: on_change on_b
// CONFLICT always: on_a on_a: third, default loop of libev
// CONFLICT always: on_a on_b: path
// CONFLICT always: on_b on_b: path

#include <stddef.h>

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
extern void ev_stat_start(struct ev_loop* loop, void* w);
extern void ev_stat_stat(struct ev_loop* loop, void* w);

static ev_io first, second;
static struct ev_loop* loop;
struct ev_stat {
  int active, pending, priority;
  void* data;
  void (*cb)(struct ev_loop* loop, struct ev_stat* w, int revents);
  void* next;
  double timer[6], interval;
  const char* path;
  char attributes[300];
};
static void on_change(struct ev_loop* l, struct ev_stat* w, int revents) { (void)l, (void)w, (void)revents; }
_Static_assert(offsetof(struct ev_stat, path) == 96, "as in ev.h");
static struct ev_stat third;
static char path[8] = "a/b";

static void on_a(struct ev_loop* loop, ev_io* w, int revents) {
  (void)w, (void)revents;
  ev_stat_stat(loop, &third);
}

static void on_b(struct ev_loop* loop, ev_io* w, int revents) {
  (void)loop, (void)w, (void)revents;
  path[0] = 'c';
  path[2] = 'd';
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
  third.cb = on_change;
  third.path = path;
  ev_stat_start(loop, &third);
  return ev_run(loop, 0);
}
