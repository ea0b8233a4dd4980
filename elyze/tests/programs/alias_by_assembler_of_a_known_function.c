// The assembler defines a function that has the name of one in the C library.
#include "server.h"

#include <stdint.h>

static long counter;
__attribute__((used)) size_t own_length(const char *text) { return counter++ + (text != NULL); }
__asm__(".globl strlen\n.set strlen, own_length");
static long reads;
HANDLER(on_write) {
  UNUSED;
  static char text[4];
  if (strlen(text + fd) == 7) _exit(1);
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
