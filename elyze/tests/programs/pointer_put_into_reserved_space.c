// A pointer is put where the buffer has reserved space, and taken out as bytes.
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
  struct evbuffer_iovec space;
  struct item* out = NULL;
  evbuffer_reserve_space(buffer, sizeof(void*), &space, 1);
  *(struct item**)space.iov_base = &item;
  space.iov_len = sizeof(void*);
  evbuffer_commit_space(buffer, &space, 1);
  evbuffer_remove(buffer, &out, sizeof out);
  found = out;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
