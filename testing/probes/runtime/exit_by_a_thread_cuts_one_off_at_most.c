// possible: (A1\n(A2\n)?|B1\n(B2\n)?|(A1\nB1|B1\nA1)\n(A2|B2)\n(A2\n|B2\n)?|A1\nA2\nB1\n(B2\n)?|B1\nB2\nA1\n(A2\n)?)?=0
// Two streams that no handler shares: what handlers write to them may be mixed, but one at most is cut off.
// A thread of the program ends it: of one thread of handlers, one at most is half done.
#include "p.h"
HANDLER(on_a) {
  UNUSED;
  puts("A1");
  take(300);
  fputs("A2\n", stderr);
}
HANDLER(on_b) {
  UNUSED;
  puts("B1");
  take(300);
  fputs("B2\n", stderr);
}
static void* leave(void* x) {
  take(150);
  exit(0);
  return x;
}
int main(void) {
  evthread_use_pthreads();
  base = event_base_new();
  due(base, on_a, NULL);
  due(base, on_b, NULL);
  pthread_t t;
  pthread_create(&t, NULL, leave, NULL);
  event_base_dispatch(base);
  return 0;
}
