// The program defines the environment's variable with a list of its own texts.
// CONFLICT always: on_set on_set
// CONFLICT always: on_set on_look
// CONFLICT always: on_look on_look: look_calls
#include "server.h"
static char zone[] = "TZ=UTC";
static char *list[] = {zone, NULL};
char **__environ = list;
HANDLER(on_set) {
  UNUSED;
  zone[3] = zone[3] == 'U' ? 'E' : 'U';
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
  when_readable(3, on_set, NULL);
  when_readable(4, on_look, NULL);
  return event_base_dispatch(base);
}
