/* The child that a handler forks makes no other calls before the handler returns in it, which it does not. */
#include "small.h"

HANDLER(on_fork) {
  UNUSED;
  take(60);
  pid_t child = fork();
  if (child == 0) {
    take(100);
    _exit(0);
  }
  waitpid(child, NULL, 0);
}
HANDLER(on_work) {
  UNUSED;
  take(30);
  say("work\n");
}

int main(void) {
  static int session[8];
  base = event_base_new();
  due(base, on_fork, NULL);
  for (int i = 0; i < 8; ++i) due(base, on_work, &session[i]);
  event_base_dispatch(base);
  return 0;
}
