/* Handlers leave their loops by setcontext() and by __builtin_longjmp(). Later the program jumps. */
#include <setjmp.h>
#include <ucontext.h>

#include "small.h"

#pragma GCC diagnostic ignored "-Winfinite-recursion"

static ucontext_t before;
static void* builtin[5];
static jmp_buf here;
static volatile int left;

HANDLER(on_spare) { UNUSED; }
HANDLER(on_context) {
  UNUSED;
  left = 1;
  setcontext(&before);
}
HANDLER(on_builtin) {
  UNUSED;
  __builtin_longjmp(builtin, 1);
}

__attribute__((noinline)) static void enter(event_callback_fn handler) {
  volatile char room[40000];
  memset((char*)room, 1, sizeof room);
  base = event_base_new();
  due(base, handler, NULL);
  due(base, on_spare, NULL);
  event_base_dispatch(base);
  room[1] = 0;
}
__attribute__((noinline)) static void enter_and_return(void) {
  if (__builtin_setjmp(builtin) == 0) enter(on_builtin);
}
/* Over the frames that were left. */
__attribute__((noinline)) static long use_stack(int depth) {
  volatile long fill[4096];
  for (int i = 0; i < 4096; ++i) fill[i] = 16;
  return depth == 0 ? fill[5] : use_stack(depth - 1) + fill[7] - 16;
}
__attribute__((noinline)) static int jump_from(int depth) {
  volatile char room[8000];
  room[depth] = 1;
  if (depth == 0) longjmp(here, 1);
  return jump_from(depth - 1) + room[depth];
}

int main(void) {
  getcontext(&before);
  if (!left) enter(on_context);
  puts("left");
  volatile long sum = use_stack(3);
  for (volatile int i = 0; i < 1000; ++i) {
    if (setjmp(here) == 0) longjmp(here, 1);
    sum++;
  }
  enter_and_return();
  puts("left");
  sum += use_stack(3);
  for (volatile int depth = 0; depth < 20; ++depth) {
    if (setjmp(here) == 0) sum += jump_from(depth);
    sum++;
  }
  printf("sum %ld\n", sum);
  return 0;
}
