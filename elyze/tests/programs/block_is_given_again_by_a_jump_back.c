// The jump leads behind the allocation, in whose block setjmp stands: both sessions get the one block.
#include "server.h"

#include <setjmp.h>

struct session {
  long *block;
};
static jmp_buf back;
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
  setjmp(back);
  struct session *s = malloc(sizeof *s);
  s->block = block;
  when_readable(3 + made, on_client, s);
  if (made++ < 1) longjmp(back, 1);
  return event_base_dispatch(base);
}
