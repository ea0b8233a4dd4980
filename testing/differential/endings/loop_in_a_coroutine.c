/* The loop runs on the stack of a coroutine. A handler jumps to main, which jumps back into it. */
#include <setjmp.h>
#include <ucontext.h>

#include "small.h"

static ucontext_t to_main, coroutine;
static jmp_buf in_main, in_handler;
static char stack[1 << 18];
static struct event* first;
static int calls;

HANDLER(on_spare) { UNUSED; }
HANDLER(on_first) {
  UNUSED;
  calls++;
  if (_setjmp(in_handler) == 0) _longjmp(in_main, 1);
  event_del(first);
  puts("back");
}
HANDLER(on_second) {
  UNUSED;
  calls++;
}

static void run(void) {
  event_base_dispatch(base);
  swapcontext(&coroutine, &to_main);
}

int main(void) {
  const struct timeval soon = {0, 10000};
  base = event_base_new();
  first = event_new(base, -1, EV_PERSIST, on_first, NULL);
  event_add(first, &soon);
  due_in(60, on_second, NULL);
  due(base, on_spare, NULL);
  getcontext(&coroutine);
  coroutine.uc_stack.ss_sp = stack;
  coroutine.uc_stack.ss_size = sizeof stack;
  coroutine.uc_link = &to_main;
  makecontext(&coroutine, run, 0);
  if (_setjmp(in_main) == 0) {
    swapcontext(&to_main, &coroutine);
  } else {
    puts("main");
    _longjmp(in_handler, 1);
  }
  printf("%d calls\n", calls);
  return 0;
}
