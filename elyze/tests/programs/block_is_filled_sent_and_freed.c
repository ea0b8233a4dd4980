// A block of bytes that is made, sent and freed in one invocation is nobody else's.
// SAFE: on_a on_b
// CONFLICT session: on_a on_a: session->fd
// CONFLICT session: on_b on_b: session->fd
#include <sys/uio.h>

#include "server.h"
struct session {
  int fd;
};
HANDLER(on_a) {
  struct session *session = arg;
  UNUSED;
  char *bytes = malloc(100);
  struct iovec part = {bytes, 100};
  memset(bytes, 'a', 100);
  if (writev(session->fd, &part, 1) == 100) bytes[0] = 'b';
  if (send(session->fd, bytes, 100, 0) == 100) bytes[0] = 'c';
  free(bytes);
}
HANDLER(on_b) {
  struct session *session = arg;
  UNUSED;
  char bytes[100] = "b";
  if (send(session->fd, bytes, 100, 0) == 100) bytes[0] = 'c';
  if (send(session->fd, bytes, 100, 0) == 100) bytes[0] = 'd';
}

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i++) {
    struct session *session = calloc(1, sizeof *session);
    session->fd = socket(AF_INET, SOCK_STREAM, 0);
    when_readable(i, i % 2 ? on_a : on_b, session);
  }
  return event_base_dispatch(base);
}
