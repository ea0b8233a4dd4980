// A function makes its caller's text the environment.
// CONFLICT always: on_set on_set
// CONFLICT always: on_set on_look
// IMPRECISE: on_look on_look: never
#include "server.h"
extern char **environ;
static char zone[] = "TZ=UTC";
static void make(char *text) {
  char **list = calloc(2, sizeof *list);
  list[0] = text;
  environ = list;
}
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
  make(zone);
  when_readable(3, on_set, NULL);
  when_readable(4, on_look, NULL);
  return event_base_dispatch(base);
}
