/* Handshakes as steps of the event loop: one does the public-key work, the next answers. While one thread runs the
 * loop, everybody waits for the work. */
#include "handshake.h"

static struct event_base *loop;

static void on_answer(evutil_socket_t fd, short what, void *arg) {
  (void)fd, (void)what;
  handshake_end(arg);
}

static void on_onionskin(evutil_socket_t fd, short what, void *arg) {
  struct handshake *h = arg;
  (void)fd, (void)what;

  h->good = onionskin_answer(h->identity, h->skin, h->answer, &h->keys);
  event_active(&h->done, 0, 0);
}

bool work_init(struct event_base *base) {
  loop = base;
  return true;
}

void work_submit(struct handshake *h) {
  event_assign(&h->work, loop, -1, 0, on_onionskin, h);
  event_assign(&h->done, loop, -1, 0, on_answer, h);
  event_active(&h->work, 0, 0);
}

void work_stop(void) {}

void work_forget(struct handshake *h) {
  event_del(&h->work);
  event_del(&h->done);
}
