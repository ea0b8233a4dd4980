// A handler looks through all descriptors of a set and reads from those that are ready.
// CONFLICT always: on_poll on_poll
// CONFLICT always: on_poll on_read
// CONFLICT session: on_read on_read
#include <sys/select.h>
#include "server.h"
struct session {
  int fd;
  char byte;
};
static fd_set all;
HANDLER(on_poll) {
  UNUSED;
  fd_set ready = all;
  struct timeval now = {0, 0};
  char byte;
  if (select(FD_SETSIZE, &ready, NULL, NULL, &now) <= 0) return;
  for (int i = 0; i < FD_SETSIZE; i++)
    if (FD_ISSET(i, &ready)) recv(i, &byte, 1, 0);
}
HANDLER(on_read) {
  struct session* s = arg;
  UNUSED;
  if (recv(s->fd, &s->byte, 1, 0) == 1) recv(s->fd, &s->byte, 1, 0);
}
int main(void) {
  base = event_base_new();
  FD_ZERO(&all);
  for (int i = 3; i < 6; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->fd = socket(AF_INET, SOCK_DGRAM, 0);
    FD_SET(s->fd, &all);
    when_readable(i, on_read, s);
  }
  when_readable(9, on_poll, NULL);
  return event_base_dispatch(base);
}
