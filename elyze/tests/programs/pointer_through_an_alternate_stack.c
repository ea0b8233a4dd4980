// sigaltstack() tells the stack that it was given before.
// CONFLICT always: on_a on_a: item
// CONFLICT always: on_a on_b: item
// CONFLICT always: on_b on_b: item
#include <signal.h>
#include "server.h"

struct item {
  long hits;
};
static struct item item;
static struct item *found;
HANDLER(on_a) {
  UNUSED;
  found->hits++;
}
HANDLER(on_b) {
  UNUSED;
  item.hits++;
}

int main(void) {
  base = event_base_new();
  stack_t stack = {.ss_sp = &item, .ss_size = SIGSTKSZ}, now;
  sigaltstack(&stack, NULL);
  sigaltstack(NULL, &now);
  found = now.ss_sp;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
