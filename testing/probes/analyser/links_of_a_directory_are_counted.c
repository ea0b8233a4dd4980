// CONFLICT always: on_a on_b: spool: each directory in it is a link to it
#include "server.h"
#include <sys/stat.h>
static unsigned long links;
HANDLER(on_a) {
  UNUSED;
  struct stat s;
  if (stat("spool", &s) == 0) links = s.st_nlink;
}
HANDLER(on_b) {
  UNUSED;
  mkdir("spool/in", 0700);
  mkdir("spool/out", 0700);
}
int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  event_base_dispatch(base);
}
