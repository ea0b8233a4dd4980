// A matrix that is cleared through a pointer to its first element.
#include "server.h"

static int matrix[8][8];
static long a_calls, b_calls;
HANDLER(on_clear) {
  UNUSED;
  a_calls++;
  int *p = &matrix[0][0];
  for (int i = 0; i < 64; i++) p[i] = 0;
}
HANDLER(on_set) {
  UNUSED;
  b_calls++;
  matrix[3][2] = 1;
}
// CONFLICT always: on_clear on_clear: a_calls
// CONFLICT always: on_set on_set: b_calls
// CONFLICT always: on_clear on_set: matrix

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 5; i++) {
    when_readable(i, on_clear, NULL);
    when_readable(i + 10, on_set, NULL);
  }
  return event_base_dispatch(base);
}
