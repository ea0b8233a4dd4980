// possible: (name_of_the_thr\n){4}=0
#include "p.h"
HANDLER(on_a) {
  UNUSED;
  char text[32] = {0};
  int f = open("/proc/thread-self/comm", O_RDONLY);
  take(40);
  if (read(f, text, 31) > 0) fputs(text, stdout);
  close(f);
}
int main(void) {
  base = event_base_new();
  static int session[4];
  for (int i = 0; i < 4; i++) due(base, on_a, &session[i]);
  event_base_dispatch(base);
  return 0;
}
