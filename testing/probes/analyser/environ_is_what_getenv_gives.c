// The texts behind `environ` are those that getenv() returns.
// CONFLICT always: on_a on_b
// CONFLICT always: on_a on_a
// SAFE: on_b on_b
#define _GNU_SOURCE
#include "server.h"
static char* home;
static char** all;
HANDLER(on_a) {
  UNUSED;
  for (char** text = all; *text != NULL; text++) (*text)[strlen(*text) - 1]++;
}
HANDLER(on_b) {
  UNUSED;
  printf("%s\n", home);
}

int main(void) {
  base = event_base_new();
  home = getenv("HOME");
  all = environ;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
