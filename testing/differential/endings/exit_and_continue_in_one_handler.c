// A handler asks for the loop's end, and for the rest of the pass to be left for the next one.
#include "small.h"

HANDLER(on_work) {
  UNUSED;
  take(5);
}
HANDLER(on_first) {
  UNUSED;
  take(5);
  event_base_loopexit(base, NULL);
  event_base_loopcontinue(base);
}
int main(void) {
  base = event_base_new();
  for (int i = 0; i < 2; ++i) due(base, on_work, NULL);
  due(base, on_first, NULL);
  for (int i = 0; i < 2; ++i) due(base, on_work, NULL);
  event_base_dispatch(base);
  puts("end");
}
