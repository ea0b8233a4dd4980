// CONFLICT always: on_a on_b: x
/* event_base_new() asks getenv() */
#include "server.h"

static int asked, m;
char* getenv(const char* n) {
  (void)n;
  asked++;
  return 0;
}
HANDLER(on_a) {
  UNUSED;
  event_base_free_nofinalize(event_base_new());
}
HANDLER(on_b) {
  UNUSED;
  int k = asked;
  m = k + asked;
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
