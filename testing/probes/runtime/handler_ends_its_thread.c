// possible: (work\n){0,3}=0
// pthread_exit() in the last thread ends the process with status 0.
#include "p.h"
HANDLER(on_work) {
  UNUSED;
  take(40);
  puts("work");
}
HANDLER(on_end) {
  UNUSED;
  pthread_exit(NULL);
}
int main(void) {
  base = event_base_new();
  static int session[3];
  for (int i = 0; i < 3; i++) due(base, on_work, &session[i]);
  due(base, on_end, NULL);
  event_base_dispatch(base);
  puts("end of the loop");
  return 1;
}
