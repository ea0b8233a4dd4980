// Each session waits for a descriptor that may be a file, since putenv() has told libevent not to use epoll.
// CONFLICT always: on_ready on_ready
// CONFLICT always: on_ready on_look: contents of notes
// SAFE: on_look on_look
#include "server.h"

struct client {
  int fd;
  long letters;
};
static char setting[32];

HANDLER(on_ready) {
  struct client *client = arg;
  (void)fd, (void)what;
  if (write(client->fd, "x", 1) < 0) event_base_loopexit(base, NULL);
}

HANDLER(on_look) {
  UNUSED;
  char letter;
  int file = open("notes", O_RDONLY);
  if (file >= 0 && read(file, &letter, 1) == 1 && letter == 'x') abort();
  close(file);
}

int main(int argc, char **argv) {
  strcpy(setting, "EVENT_NOEPOLL=1");
  putenv(setting);
  base = event_base_new();
  for (int i = 0; i < 3; i++) {
    struct client *client = calloc(1, sizeof *client);
    client->fd = argc > i + 1 ? atoi(argv[i + 1]) : 3 + i;
    when_readable(client->fd, on_ready, client);
  }
  when_readable(9, on_look, NULL);
  return event_base_dispatch(base);
}
