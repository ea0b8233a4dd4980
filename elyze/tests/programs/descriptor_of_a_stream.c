// fileno() gives the descriptor of a shared stream: both handlers write one open file.
#include "server.h"

static FILE *journal;
static long a_calls;
HANDLER(on_a) {
  UNUSED;
  if (lseek(fileno(journal), 0, SEEK_SET) < 0) return;
}
HANDLER(on_b) {
  UNUSED;
  a_calls++;
  if (write(fileno(journal), "b", 1) != 1) return;
}
// CONFLICT always: on_a on_a: journal
// CONFLICT always: on_b on_b: a_calls
// CONFLICT always: on_a on_b: journal

int main(void) {
  base = event_base_new();
  journal = fopen("/tmp/journal", "w");
  for (int i = 3; i < 5; i++) {
    when_readable(i, on_a, NULL);
    when_readable(i + 10, on_b, NULL);
  }
  return event_base_dispatch(base);
}
