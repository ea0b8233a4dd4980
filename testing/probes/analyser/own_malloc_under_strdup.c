// The program has its own malloc(), which the C library calls, too.
// CONFLICT always: on_a on_a: used
// CONFLICT always: on_a on_b: used
// SAFE: on_b on_b
#include "server.h"
struct session {
  char* name;
};
static char arena[1 << 20];
static size_t used;
void* malloc(size_t size) {
  void* made = arena + used;
  used += (size + 15) & ~(size_t)15;
  return made;
}
void free(void* block) { (void)block; }
HANDLER(on_a) {
  struct session* s = arg;
  UNUSED;
  s->name = strdup("name");
}
HANDLER(on_b) {
  UNUSED;
  if (used > 1 << 19) abort();
}
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) when_readable(i, on_a, calloc(1, sizeof(struct session)));
  when_readable(9, on_b, NULL);
  return event_base_dispatch(base);
}
