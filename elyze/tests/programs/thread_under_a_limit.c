// CONFLICT always: on_a on_a: limits of the process
// CONFLICT always: on_a on_b: limits of the process
// CONFLICT always: on_b on_b: m
/* EAGAIN: RLIMIT_NPROC */
#include "server.h"
#include <sys/resource.h>
#include <pthread.h>
static int m;
static void* work(void* p) { return p; }
HANDLER(on_a) {
  UNUSED;
  struct rlimit l, o;
  getrlimit(RLIMIT_NPROC, &l);
  o = l;
  l.rlim_cur = 1;
  setrlimit(RLIMIT_NPROC, &l);
  setrlimit(RLIMIT_NPROC, &o);
}
HANDLER(on_b) {
  UNUSED;
  pthread_t t;
  m = pthread_create(&t, 0, work, 0);
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
