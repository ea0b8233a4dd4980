// A variable of the program has the environment's name as its second.
// CONFLICT always: on_set on_set
// CONFLICT always: on_set on_look
// CONFLICT always: on_look on_look: look_calls
#include "server.h"
char **mine;
extern char **__environ __attribute__((alias("mine")));
static char *one[] = {"TZ=UTC", NULL}, *two[] = {"TZ=EST", NULL};
HANDLER(on_set) {
  UNUSED;
  mine = mine == one ? two : one;
}
static long look_calls;
HANDLER(on_look) {
  look_calls++;
  UNUSED;
  struct tm when = {.tm_year = 100};
  if (mktime(&when) == 7) abort();
}
int main(void) {
  base = event_base_new();
  mine = one;
  when_readable(3, on_set, NULL);
  when_readable(4, on_look, NULL);
  return event_base_dispatch(base);
}
