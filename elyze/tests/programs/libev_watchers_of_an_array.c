// libev: watchers stand in an array inside the session; the callback is changed with ev_set_cb() after ev_init(), and
// one of them is never started but fed. That the data of a watcher is the session around it is not seen. Only what the
// library is called for is declared here.
// IMPRECISE: on_first on_first: session
// IMPRECISE: on_first on_later: session
// IMPRECISE: on_first on_fed: session
// IMPRECISE: on_later on_later: session
// IMPRECISE: on_later on_fed: session
// IMPRECISE: on_fed on_fed: session

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

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
extern void ev_feed_event(struct ev_loop *loop, void *w, int revents);
extern int ev_run(struct ev_loop *loop, int flags);

#define ev_set_cb(w, callback) ((w)->cb = (callback), memmove(&(w)->cb, &(w)->cb, sizeof((w)->cb)))
#define ev_init(w, callback) ((w)->active = (w)->pending = (w)->priority = 0, ev_set_cb(w, callback))

struct session {
  ev_io io[3];
  long bytes;
};

static void on_first(struct ev_loop *loop, ev_io *w, int revents) {
  (void)loop, (void)revents;
  ((struct session *)w->data)->bytes++;
}

static void on_later(struct ev_loop *loop, ev_io *w, int revents) {
  (void)loop, (void)revents;
  ((struct session *)w->data)->bytes += 2;
}

static void on_fed(struct ev_loop *loop, ev_io *w, int revents) {
  (void)loop, (void)revents;
  ((struct session *)w->data)->bytes = 0;
}

int main(void) {
  struct ev_loop *loop = ev_default_loop(0);
  for (int fd = 3; fd < 9; fd += 2) {
    struct session *session = calloc(1, sizeof *session);
    if (session == NULL) return 1;
    for (int i = 0; i < 2; i++) {
      ev_init(&session->io[i], on_first);
      session->io[i].data = session;
      session->io[i].fd = fd + i;
      session->io[i].events = 1;
      ev_io_start(loop, &session->io[i]);
    }
    ev_set_cb(&session->io[1], on_later);
    ev_init(&session->io[2], on_fed);
    session->io[2].data = session;
    ev_feed_event(loop, &session->io[2], 1);
  }
  return ev_run(loop, 0);
}
