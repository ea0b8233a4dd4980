// The bytes of a pointer are marshalled.
// CONFLICT always: on_a on_a: item
// CONFLICT always: on_a on_b: item
// CONFLICT always: on_b on_b: item

#include <event2/buffer.h>
#include <event2/tag.h>
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
  struct item *in = &item, *out = NULL;
  evtag_marshal(buffer, 1, &in, sizeof in);
  evtag_unmarshal_fixed(buffer, 1, &out, sizeof out);
  found = out;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
