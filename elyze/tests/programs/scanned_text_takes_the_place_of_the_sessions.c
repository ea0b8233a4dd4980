// The word that sscanf() makes a block for is not the session's name, which stood in the variable before.
// CONFLICT always: on_name on_name
// CONFLICT always: on_name on_show
// SAFE: on_show on_show
#include "server.h"

struct client {
  char name[8];
};

static char *shown;

HANDLER(on_name) {
  UNUSED;
  struct client *client = arg;
  char *word = client->name;
  if (sscanf("word", "%ms", &word) != 1) return;
  shown = word;
  word[0] = 'x';
}

HANDLER(on_show) {
  UNUSED;
  if (shown != NULL && shown[0] == 'y') abort();
}

int main(void) {
  base = event_base_new();
  for (int fd = 3; fd < 5; ++fd) when_readable(fd, on_name, calloc(1, sizeof(struct client)));
  when_readable(5, on_show, NULL);
  return event_base_dispatch(base);
}
