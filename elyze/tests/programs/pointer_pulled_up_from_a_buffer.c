// A pointer is added to a buffer as bytes, and read where evbuffer_pullup() shows them.
// CONFLICT always: on_a on_a: item
// CONFLICT always: on_a on_b: item
// CONFLICT always: on_b on_b: item

#include <event2/buffer.h>
#include "server.h"
struct item {
  long hits;
};
static struct item item, *found;
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
  struct evbuffer* buffer = evbuffer_new();
  struct item* mine = &item;
  evbuffer_add(buffer, &mine, sizeof mine);
  found = *(struct item**)(void*)evbuffer_pullup(buffer, -1);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
