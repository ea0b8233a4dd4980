// A pair of sessions is one block; their buffers are exchanged through the block, which is neither's own.
// CONFLICT session: on_a on_a
// CONFLICT session: on_a on_b
// CONFLICT session: on_b on_b
#include "server.h"
struct half {
  char* buffer;
};
struct session {
  struct half left, right;
};
HANDLER(on_a) {
  struct session* s = arg;
  UNUSED;
  char* kept = s->left.buffer;
  s->left.buffer = s->right.buffer;
  s->right.buffer = kept;
  s->left.buffer[0]++;
}
HANDLER(on_b) {
  struct session* s = arg;
  UNUSED;
  s->right.buffer[0]++;
}

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->left.buffer = malloc(9);
    s->right.buffer = malloc(9);
    when_readable(i, on_a, s);
    when_readable(i + 10, on_b, s);
  }
  return event_base_dispatch(base);
}
