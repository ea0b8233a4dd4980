// The kernel keeps a number for the program: the position of a file.
// CONFLICT always: on_a on_a: item
// CONFLICT always: on_a on_b: item
// CONFLICT always: on_b on_b: item
#include <stdint.h>
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
  int file = open("/tmp/x", O_RDWR);
  lseek(file, (off_t)(uintptr_t)&item, SEEK_SET);
  found = (struct item*)(uintptr_t)lseek(file, 0, SEEK_CUR);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
