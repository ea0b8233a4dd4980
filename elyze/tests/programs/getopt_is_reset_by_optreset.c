// CONFLICT always: on_a on_a: words
// CONFLICT always: on_a on_b: hidden state of getopt
// CONFLICT always: on_b on_b: hidden state of getopt
#include "server.h"

int bsd_getopt(int, char* const*, const char*);
extern int optreset;
static char* words[] = {"x", "-abc", NULL};
static int seen;
HANDLER(on_a) {
  UNUSED;
  seen = bsd_getopt(2, words, "abc");
}
HANDLER(on_b) {
  UNUSED;
  optreset = 1;
  optreset = 0;
}
int main(int argc, char** argv) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
