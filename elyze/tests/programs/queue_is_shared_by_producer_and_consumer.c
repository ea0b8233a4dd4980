// A queue between two handlers: the ends are global, the jobs change hands.
// CONFLICT always: on_produce on_produce: jobs
// CONFLICT always: on_consume on_produce: jobs
// CONFLICT always: on_consume on_consume: jobs

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/queue.h>

static const struct timeval second = {1, 0};

struct job {
  TAILQ_ENTRY(job) link;
  int number;
};

static TAILQ_HEAD(, job) jobs = TAILQ_HEAD_INITIALIZER(jobs);

static void on_produce(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)arg;
  struct job* j = calloc(1, sizeof *j);
  j->number = (int)what;
  TAILQ_INSERT_TAIL(&jobs, j, link);
}

static void on_consume(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  struct job* j = TAILQ_FIRST(&jobs);
  if (j == NULL) return;
  TAILQ_REMOVE(&jobs, j, link);
  printf("%d\n", j->number);
  free(j);
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_produce, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_consume, NULL), &second);
  return event_base_dispatch(base);
}
