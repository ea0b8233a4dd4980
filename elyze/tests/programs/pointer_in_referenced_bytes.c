// The bytes that a buffer refers to are those of a pointer.
// CONFLICT always: on_a on_a: item
// CONFLICT always: on_a on_b: item
// CONFLICT always: on_b on_b: item

#include <event2/buffer.h>
#include "server.h"
struct item {
  long hits;
};
static struct item item, *found;
static struct item* slot = &item;
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
  struct item* out = NULL;
  evbuffer_add_reference(buffer, &slot, sizeof slot, NULL, NULL);
  evbuffer_remove(buffer, &out, sizeof out);
  found = out;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
