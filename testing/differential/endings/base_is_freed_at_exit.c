/* A handler fails, and a function of atexit() frees the base whose loop it is in. */
#include "small.h"

static void bye(void) {
  event_base_free(base);
  say("bye\n");
}

HANDLER(on_spare) { UNUSED; }
HANDLER(on_work) {
  UNUSED;
  take(40);
}
HANDLER(on_failure) {
  UNUSED;
  take(20);
  exit(1);
}

int main(void) {
  static int session[6];
  int end[2];
  atexit(bye);
  base = event_base_new();
  if (pipe(end) != 0) return 2;
  event_add(event_new(base, end[0], EV_READ, on_spare, NULL), NULL);
  for (int i = 0; i < 6; ++i) {
    due(base, on_work, &session[i]);
    if (i == 2) due(base, on_failure, NULL);
  }
  event_base_dispatch(base);
  return 0;
}
