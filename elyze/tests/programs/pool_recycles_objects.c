// Sessions come from a pool: whoever takes or returns one writes the pool's free list.
// CONFLICT always: on_close on_close: pool
// CONFLICT always: on_close on_open: pool
// CONFLICT always: on_open on_open: pool
// SAFE: on_open on_show
// SAFE: on_close on_show
// CONFLICT always: on_show on_show: shown

#include <event2/event.h>
#include <event2/event_struct.h>
#include <stddef.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct request {
  struct request* next_free;
  struct event done;
};

static struct request* pool;
static struct event_base* base;
static int shown;

static void on_close(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct request* r = arg;
  r->next_free = pool;
  pool = r;
}

static void on_open(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  struct request* r = pool;
  if (r == NULL) return;
  pool = r->next_free;
  event_assign(&r->done, base, -1, 0, on_close, r);
  event_add(&r->done, NULL);
  event_active(&r->done, EV_TIMEOUT, 1);
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  shown++;
}

int main(void) {
  base = event_base_new();
  for (int i = 0; i < 16; i++) {
    struct request* r = calloc(1, sizeof *r);
    r->next_free = pool;
    pool = r;
  }
  event_add(event_new(base, -1, EV_PERSIST, on_open, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_show, NULL), &second);
  return event_base_dispatch(base);
}
