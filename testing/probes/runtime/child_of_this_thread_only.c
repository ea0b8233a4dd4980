// possible: (waited\n){4}=0
// __WNOTHREAD: only children of the calling thread. main made them, and main runs the handlers.
#include "p.h"
HANDLER(on_slow) {
  UNUSED;
  take(60);
}
HANDLER(on_wait) {
  UNUSED;
  puts(waitpid((pid_t)(long)arg, NULL, __WNOTHREAD) > 0 ? "waited" : "no child");
}
int main(void) {
  base = event_base_new();
  static int session[4];
  for (int i = 0; i < 4; i++) {
    pid_t p = fork();
    if (p == 0) _exit(0);
    due(base, on_slow, &session[i]);
    due(base, on_wait, (void*)(long)p);
  }
  event_base_dispatch(base);
  return 0;
}
