// A text that a session has is in the environment's list.
// CONFLICT always: on_set on_set
// CONFLICT always: on_set on_look
// CONFLICT always: on_look on_look: look_calls
#include <locale.h>

#include "server.h"
extern char **environ;
struct client {
  char zone[16];
};
static struct client *last;
HANDLER(on_set) {
  struct client *client = arg;
  (void)fd, (void)what;
  client->zone[3] = client->zone[3] == 'U' ? 'E' : 'U';
  last->zone[4]++;
}
static long look_calls;
HANDLER(on_look) {
  look_calls++;
  UNUSED;
  setlocale(LC_ALL, "");
  time_t now = 86400;
  struct tm parts;
  localtime_r(&now, &parts);
  if (parts.tm_hour > 24) abort();
}
int main(void) {
  environ = calloc(4, sizeof *environ);
  base = event_base_new();
  for (int i = 0; i < 3; i++) {
    struct client *client = calloc(1, sizeof *client);
    strcpy(client->zone, "TZ=UTC");
    environ[i] = client->zone;
    last = client;
    when_readable(3 + i, on_set, client);
  }
  when_readable(9, on_look, NULL);
  return event_base_dispatch(base);
}
