// A time is two numbers: an event keeps them for the program.
// CONFLICT always: on_a on_a: item
// CONFLICT always: on_a on_b: item
// CONFLICT always: on_b on_b: item
#include <stdint.h>
#include <sys/time.h>
#include "server.h"
struct item {
  long hits;
};
static struct item item;
static struct item* found;
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
  struct itimerval timer = {{0, 0}, {(time_t)((uintptr_t)&item >> 16), (suseconds_t)((uintptr_t)&item & 0xffff)}};
  setitimer(ITIMER_VIRTUAL, &timer, &timer);
  setitimer(ITIMER_VIRTUAL, &timer, &timer);
  found = (struct item*)(((uintptr_t)timer.it_value.tv_sec << 16) + (uintptr_t)timer.it_value.tv_usec);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
