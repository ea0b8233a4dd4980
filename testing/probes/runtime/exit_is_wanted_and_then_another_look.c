// possible: asked\nend\n=0
#include "p.h"
HANDLER(on_a) {
  UNUSED;
  puts("asked");
  event_base_loopexit(base, NULL);
  event_base_loopcontinue(base);
}
int main(void) {
  base = event_base_new();
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  puts("end");
  return 0;
}
