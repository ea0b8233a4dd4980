// possible: (work\n)*bye\n=1
#include "p.h"
static void bye(void) {
  event_base_free(base);
  puts("bye");
}
HANDLER(on_work) {
  UNUSED;
  take(40);
  fputs("work\n", stderr);
}
HANDLER(on_a) {
  UNUSED;
  take(30);
  exit(1);
}
int main(void) {
  atexit(bye);
  base = event_base_new();
  static int session[6];
  int end[2];
  if (pipe(end) != 0) return 2;
  event_add(event_new(base, end[0], EV_READ, spare, NULL), NULL);
  for (int i = 0; i < 6; i++) {
    due(base, on_work, &session[i]);
    if (i == 2) due(base, on_a, NULL);
  }
  event_base_dispatch(base);
  return 0;
}
