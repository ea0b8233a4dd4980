// possible: locked\n=0
// The base is locked by the functions that the program gave libevent.
// flags: -pthread
#include "p.h"
static int locks;
static void* make(unsigned kind) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, kind & EVTHREAD_LOCKTYPE_RECURSIVE ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
  pthread_mutex_t* m = malloc(sizeof *m);
  pthread_mutex_init(m, &a);
  return m;
}
static void destroy(void* m, unsigned kind) {
  (void)kind;
  free(m);
}
static int lock(unsigned mode, void* m) {
  (void)mode;
  __atomic_add_fetch(&locks, 1, 5);
  return pthread_mutex_lock(m);
}
static int unlock(unsigned mode, void* m) {
  (void)mode;
  return pthread_mutex_unlock(m);
}
int main(void) {
  struct evthread_lock_callbacks c = {
      EVTHREAD_LOCK_API_VERSION, EVTHREAD_LOCKTYPE_RECURSIVE, make, destroy, lock, unlock};
  evthread_set_lock_callbacks(&c);
  base = event_base_new();
  due(base, spare, NULL);
  event_base_dispatch(base);
  puts(locks > 0 ? "locked" : "not locked");
  return 0;
}
