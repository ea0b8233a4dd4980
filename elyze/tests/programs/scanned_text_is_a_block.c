// `%ms` of sscanf() makes a block for the word, which two variables hold then (POSIX, sscanf).
// CONFLICT always: on_one on_one
// CONFLICT always: on_one on_other
// CONFLICT always: on_other on_other
#include "server.h"

static char *one, *other;

HANDLER(on_one) {
  UNUSED;
  if (one != NULL) one[0]++;
}

HANDLER(on_other) {
  UNUSED;
  if (other != NULL) other[0]++;
}

int main(int argc, char **argv) {
  char *word = NULL;
  base = event_base_new();
  if (argc > 1) sscanf(argv[1], "%ms", &word);
  one = word;
  other = word;
  when_readable(3, on_one, NULL);
  when_readable(4, on_other, NULL);
  return event_base_dispatch(base);
}
