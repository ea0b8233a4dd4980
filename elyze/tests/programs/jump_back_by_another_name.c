// The compiler does not know this function as one that returns again: so it is with -fno-builtin, too.
#include "server.h"

typedef long place[32];
int mark(place) __asm__("_setjmp");
void jump(place, int) __asm__("longjmp");

struct session {
  long *block;
};
static place back;
HANDLER(on_client) {
  struct session *s = arg;
  UNUSED;
  ++*s->block;
}
// CONFLICT always: on_client on_client: session->block

int main(void) {
  base = event_base_new();
  volatile int made = 0;
  long *block = calloc(1, sizeof *block);
  mark(back);
  struct session *s = malloc(sizeof *s);
  s->block = block;
  when_readable(3 + made, on_client, s);
  if (made++ < 1) jump(back, 1);
  return event_base_dispatch(base);
}
