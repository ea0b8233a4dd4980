// strsep() moves the pointer on to the next word of the session's line.
// CONFLICT session: on_word on_word: client->line
// CONFLICT session: on_word on_look: client->line
// SAFE: on_look on_look
#include "server.h"

struct client {
  char line[16];
  int words;
};

HANDLER(on_word) {
  UNUSED;
  struct client *client = arg;
  char *rest = client->line;
  strsep(&rest, ",");
  if (rest != NULL) *rest = 'x';
}

HANDLER(on_look) {
  UNUSED;
  struct client *client = arg;
  if (client->line[4] == 'y') abort();
}

int main(void) {
  base = event_base_new();
  for (int fd = 3; fd < 7; fd += 2) {
    struct client *client = calloc(1, sizeof *client);
    strcpy(client->line, "one,two");
    when_readable(fd, on_word, client);
    when_readable(fd + 1, on_look, client);
  }
  return event_base_dispatch(base);
}
