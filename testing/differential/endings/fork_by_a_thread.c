/* The child of a thread's fork() has a copy of the memory: one handler at most is half done in it. */
#include "small.h"

static int a, b;

HANDLER(on_a) {
  UNUSED;
  a = 1;
  take(200);
  a = 2;
}
HANDLER(on_b) {
  UNUSED;
  b = 1;
  take(250);
  b = 2;
}

static void* copy(void* unused) {
  take(100);
  if (fork() == 0) {
    int halves = (*(volatile int*)&a == 1) + (*(volatile int*)&b == 1);
    say(halves > 1 ? "several are half done\n" : "one at most is half done\n");
    _exit(0);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  base = event_base_new();
  due(base, on_a, NULL);
  due(base, on_b, NULL);
  pthread_create(&thread, NULL, copy, NULL);
  event_base_dispatch(base);
  wait(NULL);
  pthread_join(thread, NULL);
  return 0;
}
