/* A handler behind the call of an exit asks for another look: the loop looks whether it is to exit, too, and leaves the
   rest to the next loop. */
#include "small.h"

static char order[32];
static void note(const char* text) { strcat(order, text); }
HANDLER(on_spare) { UNUSED; }

HANDLER(on_x) {
  UNUSED;
  note("X");
  event_base_loopcontinue(base);
}
HANDLER(on_y) {
  UNUSED;
  note("Y");
}

int main(void) {
  base = event_base_new();
  due(base, on_spare, NULL);
  event_base_loopexit(base, NULL);
  due(base, on_x, NULL), due(base, on_y, NULL);
  event_base_dispatch(base);
  note(".");
  event_base_dispatch(base);
  puts(order);
  return 0;
}
