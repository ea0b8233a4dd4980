/* Handshakes on threads of their own, as tor's CPU workers: a queue with a mutex for each way, and a descriptor that
 * wakes the event loop. What a thread can use is one handshake at a time, which nobody else touches meanwhile. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "../handshake.h"

enum { MOST_WORKERS = 64 };

struct queue {
  struct handshake *first, **last;
};

static struct {
  pthread_mutex_t mutex; /* of all below, but for the threads and the event */
  pthread_cond_t more;
  struct queue todo, done;
  bool stopping;
  pthread_t threads[MOST_WORKERS];
  int count;
  int wake;
  struct event woken;
} pool = {.mutex = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER, .wake = -1};

static void put(struct queue *queue, struct handshake *h) {
  h->queued = NULL;
  *queue->last = h;
  queue->last = &h->queued;
}

static struct handshake *take(struct queue *queue) {
  struct handshake *h = queue->first;
  if (h == NULL) return NULL;
  queue->first = h->queued;
  if (queue->first == NULL) queue->last = &queue->first;
  return h;
}

static void *work(void *arg) {
  const uint64_t one = 1;
  (void)arg;
  pthread_mutex_lock(&pool.mutex);
  for (;;) {
    struct handshake *h = pool.stopping ? NULL : take(&pool.todo);
    if (h == NULL && pool.stopping) break;
    if (h == NULL) {
      pthread_cond_wait(&pool.more, &pool.mutex);
      continue;
    }
    pthread_mutex_unlock(&pool.mutex);
    h->good = onionskin_answer(h->identity, h->skin, h->answer, &h->keys);
    pthread_mutex_lock(&pool.mutex);
    bool first = pool.done.first == NULL;
    put(&pool.done, h);
    if (first && write(pool.wake, &one, sizeof one) < 0) abort(); /* an eventfd takes it */
  }
  pthread_mutex_unlock(&pool.mutex);
  return NULL;
}

static void on_worked(evutil_socket_t fd, short what, void *arg) {
  uint64_t count;
  (void)what, (void)arg;
  if (read(fd, &count, sizeof count) < 0) return;
  for (;;) {
    pthread_mutex_lock(&pool.mutex);
    struct handshake *h = take(&pool.done);
    pthread_mutex_unlock(&pool.mutex);
    if (h == NULL) return;
    handshake_end(h);
  }
}

static int workers_wanted(void) {
  const char *text = getenv("ONION_WORKERS");
  long wanted = text != NULL ? strtol(text, NULL, 10) : sysconf(_SC_NPROCESSORS_ONLN);
  return wanted < 1 ? 1 : wanted > MOST_WORKERS ? MOST_WORKERS : (int)wanted;
}

bool work_init(struct event_base *base) {
  sigset_t all, before;
  pool.todo.last = &pool.todo.first;
  pool.done.last = &pool.done.first;
  pool.wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (pool.wake < 0) return false;
  event_assign(&pool.woken, base, pool.wake, EV_READ | EV_PERSIST, on_worked, NULL);
  if (event_add(&pool.woken, NULL) != 0) return false;
  sigfillset(&all); /* signals are the loop's */
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int wanted = workers_wanted();
  while (pool.count < wanted && pthread_create(&pool.threads[pool.count], NULL, work, NULL) == 0) pool.count++;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return pool.count > 0;
}

void work_submit(struct handshake *h) {
  pthread_mutex_lock(&pool.mutex);
  put(&pool.todo, h);
  pthread_cond_signal(&pool.more);
  pthread_mutex_unlock(&pool.mutex);
}

void work_stop(void) {
  pthread_mutex_lock(&pool.mutex);
  pool.stopping = true;
  pthread_cond_broadcast(&pool.more);
  pthread_mutex_unlock(&pool.mutex);
  for (int i = 0; i < pool.count; i++) pthread_join(pool.threads[i], NULL);
  event_del(&pool.woken);
  close(pool.wake);
}

void work_forget(struct handshake *h) { (void)h; }
