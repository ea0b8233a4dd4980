// Readers never conflict, whichever file it is, and a socket has no contents that another could open.
// SAFE: on_page on_page
// CONFLICT session: on_send on_send: client->fd
// SAFE: on_page on_send
#include "server.h"

struct client {
  int fd;
  char path[32];
};

HANDLER(on_page) {
  UNUSED;
  char bytes[64];
  snprintf(bytes, sizeof bytes, "/srv/%d", fd);
  int file = open(bytes, O_RDONLY);
  if (file < 0) return;
  if (read(file, bytes, sizeof bytes) > 0) puts(bytes);
  close(file);
}

HANDLER(on_send) {
  UNUSED;
  struct client *c = arg;
  char bytes[64];
  int file = open(c->path, O_RDONLY);
  ssize_t got = read(file, bytes, sizeof bytes);
  close(file);
  if (got > 0 && write(c->fd, bytes, (size_t)got) < 0) abort();
}

int main(void) {
  base = event_base_new();
  int listening = socket(AF_INET, SOCK_STREAM, 0);
  when_readable(3, on_page, NULL);
  for (int i = 0; i < 2; i++) {
    struct client *c = calloc(1, sizeof *c);
    c->fd = accept(listening, NULL, NULL);
    when_readable(c->fd, on_send, c);
  }
  return event_base_dispatch(base);
}
