// possible: prog:f.c:3: one\n1\n=0
#include "p.h"
#include <error.h>
static void name(void) { fputs("prog:", stderr); }
HANDLER(on_a) { UNUSED; error_at_line(0, 0, "f.c", 3, "%s", (char*)arg); }
HANDLER(last) { UNUSED; printf("%u\n", error_message_count); }
int main(void) {
  error_print_progname = name;
  error_one_per_line = 1;
  base = event_base_new();
  due(base, on_a, "one");
  due(base, on_a, "one");
  due_in(50, last, NULL);
  event_base_dispatch(base);
  return 0;
}
