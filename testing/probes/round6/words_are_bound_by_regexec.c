// Words are bound by regexec.
// CONFLICT: always: on_a on_b: g
#include "server.h"
#include <regex.h>
static regex_t re;
static regmatch_t m;
static char text[8] = "abc";
HANDLER(on_a) {
  UNUSED;
  if (regexec(&re, text, 1, &m, 0) == 0) text[m.rm_so] = 0;
}
HANDLER(on_b) {
  UNUSED;
  text[1] = 0;
}
int main(void) {
  base = event_base_new();
  regcomp(&re, "b", 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
