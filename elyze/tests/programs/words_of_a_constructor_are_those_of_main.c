// A constructor is given what main is given.
#include "server.h"

static char *early, *late;
__attribute__((constructor)) static void first(int count, char **words) { early = words[count - 1]; }
HANDLER(on_a) {
  UNUSED;
  early[0]++;
}
HANDLER(on_b) {
  UNUSED;
  late[0] += 2;
}
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b

int main(int count, char **words) {
  base = event_base_new();
  late = words[count - 1];
  for (int i = 3; i < 5; i++) when_readable(i, on_a, NULL);
  for (int i = 5; i < 7; i++) when_readable(i, on_b, NULL);
  return event_base_dispatch(base);
}
