// possible: first second\n=0
// What the long handler arms ends before what a timer's handler arms, which comes behind it.
#include "p.h"
static char said[32];
HANDLER(second) {
  UNUSED;
  strcat(said, "second");
}
HANDLER(first) {
  UNUSED;
  strcat(said, "first ");
}
HANDLER(on_timer) {
  UNUSED;
  due_in(40, second, NULL);
}
HANDLER(on_long) {
  UNUSED;
  take(150);
  due_in(60, first, NULL);
}
int main(void) {
  base = event_base_new();
  due(base, on_long, NULL);
  due_in(30, on_timer, NULL);
  event_base_dispatch(base);
  puts(said);
  return 0;
}
