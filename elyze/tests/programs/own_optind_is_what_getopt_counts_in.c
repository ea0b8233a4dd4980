// The program defines optind, which is the one that getopt() finds (ld.so(8)).
// CONFLICT always: on_parse on_parse
// CONFLICT always: on_parse on_look
// CONFLICT always: on_look on_look: seen
#include <getopt.h>

#include "server.h"

int optind = 1, opterr;
char *optarg;
static int words;
static char **text;
static long seen;

HANDLER(on_parse) {
  UNUSED;
  getopt(words, text, "ab");
  getopt(words, text, "ab");
}

HANDLER(on_look) {
  UNUSED;
  seen = optind;
}

int main(int argc, char **argv) {
  base = event_base_new();
  words = argc;
  text = argv;
  when_readable(3, on_parse, NULL);
  when_readable(4, on_look, NULL);
  return event_base_dispatch(base);
}
