// Two ways to read standard input.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
#include "server.h"
HANDLER(on_a) {
  UNUSED;
  int first = getchar();
  int second = getchar();
  printf("%d\n", first + second);
}
HANDLER(on_b) {
  UNUSED;
  char line[80];
  if (fgets(line, sizeof line, stdin)) printf("%s\n", line);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
