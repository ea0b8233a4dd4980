// possible: .*: x{5000}\n=0
#include "p.h"
#include <error.h>
HANDLER(on_a) {
  UNUSED;
  char text[5001];
  memset(text, 'x', 5000), text[5000] = 0;
  error(0, 0, "%s", text);
}
int main(void) {
  base = event_base_new();
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
