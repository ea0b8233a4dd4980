// The library carries a number into a buffer and out again; the number is an address.
// CONFLICT always: on_a on_a: item
// CONFLICT always: on_a on_b: item
// CONFLICT always: on_b on_b: item
#include <event2/buffer.h>
#include <event2/tag.h>
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
  struct evbuffer* buffer = evbuffer_new();
  ev_uint64_t number = 0;
  evtag_marshal_int64(buffer, 1, (ev_uint64_t)(uintptr_t)&item);
  evtag_unmarshal_int64(buffer, 1, &number);
  found = (struct item*)(uintptr_t)number;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
