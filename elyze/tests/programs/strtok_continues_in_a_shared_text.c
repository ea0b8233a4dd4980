// strtok_r(NULL) goes on in whatever text the saved pointer leads to, and writes there.
#include "server.h"

static char shared[256];
static char *saved;
static long a_calls, b_calls, c_calls;
struct session {
  long lines;
};
HANDLER(on_start) {
  UNUSED;
  a_calls++;
  saved = shared;
}
HANDLER(on_next) {
  UNUSED;
  b_calls++;
  char *word = strtok_r(NULL, ",", &saved);
  if (word) word[0] = '-';
}
HANDLER(on_read) {
  UNUSED;
  c_calls += shared[3];
}
// CONFLICT always: on_start on_start: a_calls
// CONFLICT always: on_next on_next: b_calls
// CONFLICT always: on_read on_read: c_calls
// CONFLICT always: on_start on_next: saved
// CONFLICT always: on_next on_read: shared
// SAFE: on_start on_read

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 5; i++) {
    when_readable(i, on_start, NULL);
    when_readable(i + 10, on_next, NULL);
    when_readable(i + 20, on_read, NULL);
  }
  return event_base_dispatch(base);
}
