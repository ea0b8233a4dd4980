// The program defines the environment's variable with a list of its own texts.
// CONFLICT always: on_set on_set
// CONFLICT always: on_set on_look
// IMPRECISE: on_look on_look: never
#include "server.h"
static char zone[] = "TZ=UTC";
static char *list[] = {zone, NULL};
char **__environ = list;
HANDLER(on_set) {
  UNUSED;
  zone[3] = zone[3] == 'U' ? 'E' : 'U';
}
HANDLER(on_look) {
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
