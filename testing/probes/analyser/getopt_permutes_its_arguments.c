// getopt() puts words that are no options behind the others.
// CONFLICT always: on_a on_b: words
// CONFLICT always: on_a on_a
// SAFE: on_b on_b
#include "server.h"
static char* words[] = {"x", "y", "-v", NULL};
HANDLER(on_a) {
  UNUSED;
  if (getopt(3, words, "v") == 'v') printf("v\n");
}
HANDLER(on_b) {
  UNUSED;
  printf("%s\n", words[1]);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
