// After an error in the second TRY, when the timer is set already, on_a writes to the job.
// CONFLICT always: on_a on_timer
#include "server.h"
#include <setjmp.h>
struct handler { jmp_buf where; struct handler *outer; };
#define TRY(h) if (setjmp((h)->where) == 0)
struct job { struct event *timer; int state, kind; };
static void throw_to(struct handler *h) { longjmp(h->where, 1); }
static void parse(struct handler *h, int kind) { if (kind > 100) throw_to(h); }
HANDLER(on_timer) { (void)fd; (void)what; struct job *j = arg; j->state |= 1; }
HANDLER(on_a) { (void)what; (void)arg; struct handler h;
  if (fd < 4) { TRY(&h) { parse(&h, fd); } return; }
  struct job *j = calloc(1, sizeof *j); j->kind = fd;
  TRY(&h) { struct timeval t = {1, 0}; j->timer = event_new(base, -1, 0, on_timer, j); event_add(j->timer, &t); parse(&h, fd); }
  else { j->state |= 2; } }
int main(void){ base=event_base_new(); when_readable(3,on_a,NULL); event_base_dispatch(base); }
