// What atexit() has registered runs when no handler does.
#include "small.h"

static char* text;
static void bye(void) {
  say("bye\n");
  free(text);
  text = NULL;
}
HANDLER(on_b) {
  UNUSED;
  for (int i = 0; i < 40; i++) {
    take(1);
  }
  say("b\n");
}
HANDLER(on_a) {
  UNUSED;
  take(10);
  exit(1);
}
int main(void) {
  atexit(bye);
  text = malloc(3);
  base = event_base_new();
  due(base, on_b, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  puts("end");
}
