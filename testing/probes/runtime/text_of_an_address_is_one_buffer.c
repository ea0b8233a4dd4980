// possible: 1 text\n=0
// inet_ntoa() has one buffer: all names show what was written last.
#include "p.h"
static char* name[4];
HANDLER(on_a) {
  UNUSED;
  int i = (int)(long)arg;
  struct in_addr a = {htonl(0x0a000001u + (unsigned)i)};
  name[i] = inet_ntoa(a);
}
HANDLER(on_slow) {
  UNUSED;
  take(60);
}
HANDLER(on_end) {
  UNUSED;
  int n = 4;
  for (int i = 1; i < 4; i++) n -= strcmp(name[0], name[i]) == 0;
  printf("%d text\n", n);
  event_base_loopbreak(base);
}
int main(void) {
  base = event_base_new();
  static int session[4];
  for (long i = 0; i < 4; i++)
    due(base, on_slow, &session[i]), due(base, on_slow, &session[i]), due(base, on_a, (void*)i);
  due_in(800, on_end, NULL);
  event_base_dispatch(base);
  return 0;
}
