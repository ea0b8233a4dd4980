// After dup2() the number 9 and the journal are one open file.
#include "server.h"

static int journal;
static long b_calls;
HANDLER(on_a) {
  UNUSED;
  if (lseek(9, 0, SEEK_SET) < 0) return;
}
HANDLER(on_b) {
  UNUSED;
  b_calls++;
  if (write(journal, "b", 1) != 1) return;
}
// CONFLICT always: on_a on_a: descriptor 9
// CONFLICT always: on_b on_b: b_calls
// CONFLICT always: on_a on_b: file

int main(void) {
  base = event_base_new();
  journal = open("/tmp/journal", O_RDWR);
  dup2(journal, 9);
  for (int i = 3; i < 5; i++) {
    when_readable(i, on_a, NULL);
    when_readable(i + 10, on_b, NULL);
  }
  return event_base_dispatch(base);
}
