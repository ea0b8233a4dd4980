// What on_a writes after the jump, others see.
// CONFLICT always: on_a on_b
#include "server.h"
#include <setjmp.h>
struct block { struct event *ev; int state; };
static void fail(jmp_buf *where) { longjmp(*where, 1); }
HANDLER(on_b) { (void)fd; (void)what; struct block *b = arg; b->state = 1; }
HANDLER(on_a) { (void)what; (void)arg; jmp_buf first, second;
  if (fd > 5) { if (setjmp(first) == 0) fail(&first); return; }
  struct block *b = malloc(sizeof *b); b->state = 0;
  if (setjmp(second) != 0) { b->state = 2; return; }
  b->ev = event_new(base, -1, 0, on_b, b); struct timeval t = {0, 0}; event_add(b->ev, &t); fail(&second); }
int main(void){ base=event_base_new(); when_readable(3,on_a,NULL); event_base_dispatch(base); }
