// Each block has a header before it, which leads to the pool that counts.
// CONFLICT always: on_a on_a: pool
// CONFLICT always: on_a on_b: pool
// CONFLICT always: on_b on_b: pool
#include "server.h"
struct pool {
  long free;
};
struct header {
  struct pool* pool;
  long size;
};
struct session {
  char* text;
};
static struct pool pool;
static void* get(size_t size) {
  struct header* made = malloc(sizeof *made + size);
  made->pool = &pool;
  made->size = (long)size;
  return made + 1;
}
static void put(void* block) { ((struct header*)block)[-1].pool->free += ((struct header*)block)[-1].size; }
HANDLER(on_a) {
  struct session* s = arg;
  UNUSED;
  put(s->text);
}
HANDLER(on_b) {
  UNUSED;
  pool.free = 0;
}

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->text = get(9);
    when_readable(i, on_a, s);
    when_readable(i + 10, on_b, s);
  }
  return event_base_dispatch(base);
}
