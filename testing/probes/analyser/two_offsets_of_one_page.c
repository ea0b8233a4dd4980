// The header of a page is found from any place in it by its lower bits: two sessions share the page.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT session: on_b on_b
#include <stdint.h>
#include "server.h"
struct page {
  long used;
  char rest[4088];
};
struct session {
  long own;
};
HANDLER(on_a) {
  UNUSED;
  ((struct page*)((uintptr_t)arg & ~(uintptr_t)4095))->used++;
}
HANDLER(on_b) {
  struct session* s = arg;
  UNUSED;
  s->own++;
}
int main(void) {
  base = event_base_new();
  struct page* page = aligned_alloc(4096, 4096);
  for (int i = 1; i < 4; i++) {
    struct session* s = (struct session*)(page->rest + 64 * i);
    when_readable(i + 3, on_a, s);
    when_readable(i + 10, on_b, s);
  }
  return event_base_dispatch(base);
}
