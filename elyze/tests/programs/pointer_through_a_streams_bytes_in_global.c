// An address is kept in a file, byte by byte; whoever finds it again gets the bytes into an array first.
#include "server.h"

#include <stdint.h>

static long *first, *second;
static void put(FILE *file, uintptr_t number) {
  for (int i = 0; i < 8; i++) {
    putc((int)(number & 255), file);
    number >>= 8;
  }
}
static long *get(FILE *file) {
  unsigned char bytes[8];
  long *found;
  for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)getc(file);
  memcpy(&found, bytes, sizeof found);
  return found;
}
HANDLER(on_a) {
  UNUSED;
  ++*first;
}
HANDLER(on_b) {
  UNUSED;
  *second += 2;
}
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b

int main(void) {
  base = event_base_new();
  FILE *file = tmpfile();
  if (file == NULL) return 1;
  first = calloc(1, sizeof *first);
  put(file, (uintptr_t)first);
  rewind(file);
  second = get(file);
  for (int i = 3; i < 5; i++) {
    when_readable(i, on_a, calloc(1, 8));
    when_readable(i + 10, on_b, calloc(1, 16));
  }
  return event_base_dispatch(base);
}
