// A function that calls itself prints as often as it likes.
// CONFLICT always: on_tree on_tree: stream stdout
// CONFLICT always: on_tree on_line: stream stdout
// SAFE: on_line on_line
#include "server.h"

static void show(int depth) {
  if (depth == 0) return;
  printf("%d ", depth);
  show(depth - 1);
}

HANDLER(on_tree) {
  UNUSED;
  show(fd);
}

HANDLER(on_line) {
  UNUSED;
  printf("%d\n", fd);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_tree, NULL);
  when_readable(4, on_line, NULL);
  return event_base_dispatch(base);
}
