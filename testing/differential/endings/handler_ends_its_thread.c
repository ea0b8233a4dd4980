/* It is the last thread of the program. The other handlers are called before it, each once. */
#include "small.h"

HANDLER(on_work) {
  UNUSED;
  take(30);
  say("work\n");
}
HANDLER(on_end) {
  UNUSED;
  take(200);
  pthread_exit(NULL);
}

int main(void) {
  static int session[3];
  base = event_base_new();
  for (int i = 0; i < 3; ++i) due(base, on_work, &session[i]);
  due(base, on_end, NULL);
  event_base_dispatch(base);
  say("the loop has ended\n");
  return 1;
}
