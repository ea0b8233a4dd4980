// ld --wrap=getpid: calls of getpid go to __wrap_getpid.
#include "server.h"

#include <stdint.h>

static long counter;
int __real_getpid(void);
__attribute__((used)) int __wrap_getpid(void) {
  counter++;
  return 1;
}
static long reads;
HANDLER(on_write) {
  UNUSED;
  if (getpid() == 0) _exit(1);
}
HANDLER(on_read) {
  UNUSED;
  reads += counter;
}
// CONFLICT always: on_write on_write
// CONFLICT always: on_write on_read
// CONFLICT always: on_read on_read: reads

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i++) when_readable(i, on_write, NULL);
  for (int i = 20; i < 22; i++) when_readable(i, on_read, NULL);
  return event_base_dispatch(base);
}
