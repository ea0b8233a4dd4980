// Sessions on libev that compute, and use all that a handler may use of a loop beside others: for ThreadSanitizer.
//
//   watchers SESSIONS ROUNDS     prints what each session has counted
#include <ev.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { kWork = 20000 };

struct session {
  ev_io io;
  ev_timer soon;
  ev_timer late;
  ev_async told;
  long left;
  long calls;
  unsigned long sum;
};

static void compute(struct session* session) {
  for (int i = 0; i < kWork; ++i) session->sum = session->sum * 6364136223846793005UL + 1442695040888963407UL;
  ++session->calls;
}

static void make_due(struct session* session) {
  const uint64_t one = 1;
  if (write(session->io.fd, &one, sizeof one) != sizeof one) abort();
}

void on_io(struct ev_loop* loop, ev_io* watcher, int revents) {
  struct session* session = (struct session*)((char*)watcher - offsetof(struct session, io));
  uint64_t count;
  (void)revents;
  if (read(watcher->fd, &count, sizeof count) != sizeof count) abort();
  compute(session);
  if (--session->left <= 0) {
    ev_io_stop(loop, &session->io);
    ev_timer_stop(loop, &session->soon);
    ev_timer_stop(loop, &session->late);
    ev_async_stop(loop, &session->told);
    return;
  }
  ev_timer_stop(loop, &session->late);
  ev_timer_set(&session->late, 60. + (double)(session->left % 7), 0.);
  ev_timer_start(loop, &session->late);
  if (ev_timer_remaining(loop, &session->late) <= 0. || ev_now(loop) <= 0.) abort();
  switch (session->left % 4) {
    case 0:
      ev_feed_event(loop, &session->soon, EV_TIMER);
      break;
    case 1:
      ev_async_send(loop, &session->told);
      break;
    case 2:
      ev_io_stop(loop, &session->io);
      ev_io_start(loop, &session->io);
      make_due(session);
      break;
    default:
      session->soon.repeat = 0.0005;
      ev_timer_again(loop, &session->soon);
      break;
  }
}

void on_soon(struct ev_loop* loop, ev_timer* watcher, int revents) {
  struct session* session = (struct session*)((char*)watcher - offsetof(struct session, soon));
  (void)revents;
  compute(session);
  if (ev_is_active(watcher)) ev_timer_stop(loop, watcher);
  make_due(session);
}

void on_late(struct ev_loop* loop, ev_timer* watcher, int revents) {
  (void)loop, (void)watcher, (void)revents, abort();
}

void on_told(struct ev_loop* loop, ev_async* watcher, int revents) {
  struct session* session = (struct session*)((char*)watcher - offsetof(struct session, told));
  (void)loop, (void)revents;
  compute(session);
  make_due(session);
}

int main(int count, char** words) {
  if (count != 3) return 2;
  const int sessions = atoi(words[1]);
  struct ev_loop* loop = ev_default_loop(0);
  struct session* all = calloc((size_t)sessions, sizeof *all);
  for (int i = 0; i < sessions; ++i) {
    struct session* session = &all[i];
    session->left = atol(words[2]);
    ev_io_init(&session->io, on_io, eventfd(1, EFD_NONBLOCK), EV_READ);
    ev_timer_init(&session->soon, on_soon, 0., 1.);
    ev_timer_init(&session->late, on_late, 60., 0.);
    ev_async_init(&session->told, on_told);
    ev_set_priority(&session->told, 1);
    ev_io_start(loop, &session->io);
    ev_timer_start(loop, &session->late);
    ev_async_start(loop, &session->told);
  }
  ev_run(loop, 0);
  for (int i = 0; i < sessions; ++i) printf("%d: %ld calls, %lx\n", i, all[i].calls, all[i].sum);
  return 0;
}
