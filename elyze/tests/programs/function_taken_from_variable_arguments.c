// Function taken from variable arguments.
// CONFLICT always: on_a on_b: g
#include "server.h"
static long g;
typedef void step(void);
static void count(void) {
  g++;
}
static void run(int n, ...) {
  va_list list, again;
  va_start(list, n);
  va_copy(again, list);
  (void)va_arg(again, step *);
  va_arg(again, step *)();
  va_end(again);
  va_end(list);
}
static void none(void) {
}
HANDLER(on_a) {
  UNUSED;
  run(2, none, count);
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
int main(void) {
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
