// A function makes its caller's text the environment.
// CONFLICT always: on_set on_set
// CONFLICT always: on_set on_look
// CONFLICT always: on_look on_look: look_calls
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
static long look_calls;
HANDLER(on_look) {
  look_calls++;
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
