// possible: 6\n=0
// Which number open() gives is defined: the lowest that is free.
#include "p.h"
HANDLER(on_a) {
  UNUSED;
  printf("%d\n", open("/dev/null", O_RDONLY));
}
int main(void) {
  closefrom(3);
  base = event_base_new();
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
