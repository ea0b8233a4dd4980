// libev: what an allocator has written in front of a block is there when the block is given back.
// CONFLICT always: on_a on_a: pool.freed, blocks of libev
// CONFLICT always: on_a on_b: pool.freed
// CONFLICT always: on_b on_b: seen

#include <stdlib.h>

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
extern struct ev_loop* ev_loop_new(unsigned flags);
extern void ev_set_allocator(void* (*function)(void* block, long size));

static ev_io first, second;
static struct ev_loop* loop;
struct pool {
  long freed;
};
static struct pool pool;
static long seen;
static void* allocate(void* p, long n) {
  if (n == 0) {
    if (p) {
      ((struct pool**)p)[-2]->freed++;
      free((struct pool**)p - 2);
    }
    return NULL;
  }
  struct pool** block = realloc(p ? (struct pool**)p - 2 : NULL, n + 16);
  *block = &pool;
  return block + 2;
}

static void on_a(struct ev_loop* loop, ev_io* w, int revents) {
  (void)w, (void)revents;
  ev_loop_new(0);
}

static void on_b(struct ev_loop* loop, ev_io* w, int revents) {
  (void)loop, (void)w, (void)revents;
  seen = pool.freed;
}

int main(void) {
  ev_set_allocator(allocate);
  loop = ev_default_loop(0);
  first.cb = on_a;
  first.fd = 3;
  second.cb = on_b;
  second.fd = 4;
  first.events = second.events = 1;
  ev_io_start(loop, &first);
  ev_io_start(loop, &second);
  return ev_run(loop, 0);
}
