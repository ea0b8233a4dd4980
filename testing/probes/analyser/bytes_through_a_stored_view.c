// The bytes of a pointer are read through a pointer to characters that was kept in memory.
// CONFLICT always: on_a on_a: item
// CONFLICT always: on_a on_b: item
// CONFLICT always: on_b on_b: item
#include <stdint.h>
#include "server.h"
struct item {
  long hits;
};
static struct item item;
static struct item* slot = &item;
static struct {
  const unsigned char* bytes;
  unsigned char* into;
} view;
static struct item* made;
HANDLER(on_a) {
  UNUSED;
  unsigned char hidden[8];
  for (int i = 0; i < 8; i++) hidden[i] = view.bytes[i] ^ 0x5a;
  for (int i = 0; i < 8; i++) view.into[i] = hidden[i] ^ 0x5a;
  made->hits++;
}
HANDLER(on_b) {
  UNUSED;
  item.hits++;
}

int main(void) {
  base = event_base_new();
  view.bytes = (unsigned char*)&slot;
  view.into = (unsigned char*)&made;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
