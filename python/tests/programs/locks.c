// A lock is never to be copied into sessions or given to one handler: what it protects is what conflicts.
// CAUSE variable tried: lock
// CAUSE shared pthread_mutex_t: lock
// CAUSE variable total: atomic-counter
#include <event2/event.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct client {
  pthread_mutex_t *log_lock;
  int count;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t tried = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void on_client(evutil_socket_t fd, short what, void *arg) {
  struct client *c = arg;
  (void)what;
  pthread_mutex_lock(&lock);
  c->count++;
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(c->log_lock);
  if (write(fd, "one more\n", 9) < 0) c->count = 0;
  pthread_mutex_unlock(c->log_lock);
}

static void on_total(evutil_socket_t fd, short what, void *arg) {
  (void)fd, (void)what, (void)arg;
  pthread_mutex_lock(&lock);
  total++;
  pthread_mutex_unlock(&lock);
}

static void on_try(evutil_socket_t fd, short what, void *arg) {
  (void)fd, (void)what, (void)arg;
  if (pthread_mutex_trylock(&tried) == 0) pthread_mutex_unlock(&tried);
}

int main(void) {
  struct event_base *base = event_base_new();
  pthread_mutex_t *log_lock = malloc(sizeof *log_lock);
  pthread_mutex_init(log_lock, NULL);
  for (int fd = 0; fd < 3; fd++) {
    struct client *c = calloc(1, sizeof *c);
    c->log_lock = log_lock;
    event_add(event_new(base, fd, EV_READ | EV_PERSIST, on_client, c), NULL);
  }
  event_add(event_new(base, 3, EV_READ | EV_PERSIST, on_total, NULL), NULL);
  event_add(event_new(base, 4, EV_READ | EV_PERSIST, on_try, NULL), NULL);
  return event_base_dispatch(base);
}
