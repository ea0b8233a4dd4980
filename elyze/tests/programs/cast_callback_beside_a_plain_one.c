// One field holds a callback of libevent's type and another one that was cast to it: both are handlers. The same for a
// function that a handler calls through a pointer.
// CONFLICT always: on_plain on_plain: lines
// CONFLICT always: on_plain on_cast: lines
// CONFLICT always: on_cast on_cast: lines
// CONFLICT always: on_plain on_tick: hits
// CONFLICT always: on_cast on_tick: hits
// CONFLICT always: on_tick on_tick: hits

#include <event2/bufferevent.h>
#include <event2/bufferevent_struct.h>
#include <event2/event.h>
#include <stddef.h>

static int lines, hits, misses;

struct session {
  struct bufferevent *bev;
};

static void on_plain(struct bufferevent *bev, void *arg) {
  (void)bev, (void)arg;
  lines++;
  hits--;
}

static int on_cast(struct session *s, struct session *t) {
  (void)s, (void)t;
  hits--;
  return ++lines;
}

static void miss(long *by) { misses += (int)*by; }

static int hit(void) { return ++hits; }

static bufferevent_data_cb chosen;
static void (*count)(long *by) = miss;

static void on_tick(evutil_socket_t fd, short what, void *arg) {
  long one = 1;
  (void)fd, (void)what, (void)arg;
  count(&one);
}

int main(int argc, char **argv) {
  struct event_base *base = event_base_new();
  (void)argv;
  chosen = on_plain;
  if (argc > 1) chosen = (bufferevent_data_cb)(void *)on_cast;
  if (argc > 2) count = (void (*)(long *))(void *)hit;
  for (int fd = 3; fd < 5; fd++) {
    struct bufferevent *bev = bufferevent_socket_new(base, fd, 0);
    bev->readcb = chosen;
    bufferevent_enable(bev, EV_READ);
    event_add(event_new(base, fd + 9, EV_READ | EV_PERSIST, on_tick, NULL), NULL);
  }
  return event_base_dispatch(base);
}
