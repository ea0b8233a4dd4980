// What an allocator has written in front of a block is there when the block is given back.
// CONFLICT always: on_a on_a: pool.freed, blocks of libevent
// CONFLICT always: on_a on_b: pool.freed, blocks of libevent
// CONFLICT always: on_b on_b: seen

#include <event2/buffer.h>

#include "server.h"
struct pool {
  long freed;
};
static struct pool pool;
static long seen;
static void* get(size_t n) {
  struct pool** block = malloc(n + 16);
  *block = &pool;
  return block + 2;
}
static void* grow(void* p, size_t n) {
  if (!p) return get(n);
  return (struct pool**)realloc((struct pool**)p - 2, n + 16) + 2;
}
static void give_back(void* p) {
  if (!p) return;
  ((struct pool**)p)[-2]->freed++;
  free((struct pool**)p - 2);
}
HANDLER(on_a) {
  UNUSED;
  evbuffer_free(evbuffer_new());
}
HANDLER(on_b) {
  UNUSED;
  seen = pool.freed;
}
int main(int argc, char** argv) {
  event_set_mem_functions(get, grow, give_back);
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
