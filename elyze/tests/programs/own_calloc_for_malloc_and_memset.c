// CONFLICT always: on_a on_a: cleared
// CONFLICT always: on_a on_b: cleared
// CONFLICT always: on_b on_b: seen
// The compiler makes one call of calloc() out of two, and the program has its own.
#include "server.h"

static _Thread_local char pool[1 << 20];
static _Thread_local size_t used;
static int cleared, seen;
static char* last;
__attribute__((noinline)) void* malloc(size_t size) {
  used += (size + 15) & ~(size_t)15;
  return used < sizeof pool ? pool + used - ((size + 15) & ~(size_t)15) : NULL;
}
void* calloc(size_t count, size_t size) {
  cleared++;
  return malloc(count * size);
}
void free(void* block) { (void)block; }
void* realloc(void* block, size_t size) {
  void* made = malloc(size);
  if (block != NULL && made != NULL) memmove(made, block, size);
  return made;
}

HANDLER(on_a) {
  UNUSED;
  char* block = malloc(64);
  if (block != NULL) memset(block, 0, 64);
  last = block;
}

HANDLER(on_b) {
  UNUSED;
  int k = cleared;
  seen = k + cleared;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
