// possible: prog: one\nprog: two\n2\n=0
#include "p.h"
#include <error.h>
static void name(void) { fputs("prog: ", stderr); }
HANDLER(on_a) { UNUSED; error(0, 0, "%s", (char*)arg); }
HANDLER(last) { UNUSED; printf("%u\n", error_message_count); }
int main(void) {
  error_print_progname = name;
  base = event_base_new();
  due(base, on_a, "one");
  due(base, on_a, "two");
  due_in(50, last, NULL);
  event_base_dispatch(base);
  return 0;
}
