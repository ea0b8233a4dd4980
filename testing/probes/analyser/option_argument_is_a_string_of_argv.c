// A password on the command line is hidden there: what getopt() gave points into the same text.
// CONFLICT always: on_hide on_use
// CONFLICT always: on_hide on_hide
// SAFE: on_use on_use
#include "server.h"
static char **words, *password;
HANDLER(on_hide) {
  UNUSED;
  memset(words[2], '*', strlen(words[2]));
}
HANDLER(on_use) {
  UNUSED;
  printf("%s\n", password);
}
int main(int argc, char** argv) {
  base = event_base_new();
  words = argv;
  if (getopt(argc, argv, "p:") == 'p') password = optarg;
  when_readable(3, on_hide, NULL);
  when_readable(4, on_use, NULL);
  return event_base_dispatch(base);
}
