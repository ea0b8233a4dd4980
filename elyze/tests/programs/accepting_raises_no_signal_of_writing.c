// Only what is sent raises SIGPIPE: not accepting, reading, shutting down.
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
// CONFLICT always: on_b on_d: broken
// SAFE: on_c on_b
// SAFE: on_c on_d
// SAFE: on_e on_d
#include <signal.h>
#include <sys/socket.h>
#include "server.h"
static long broken;
static void count(int number) {
  (void)number;
  broken++;
}
HANDLER(on_a) {
  UNUSED;
  broken++;
}
HANDLER(on_b) {
  UNUSED;
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 && write(pair[0], "x", 1) == 1) close(pair[0]);
}
HANDLER(on_c) {
  (void)what;
  (void)arg;
  int client = accept(fd, NULL, NULL);
  if (client < 0) return;
  shutdown(client, SHUT_RDWR);
  close(client);
}
HANDLER(on_d) {
  UNUSED;
  if (broken > 3) event_base_loopexit(base, NULL);
}
HANDLER(on_e) {
  (void)what;
  (void)arg;
  char byte;
  if (read(fd, &byte, 1) == 1) fcntl(fd, F_SETFL, O_NONBLOCK);
}

int main(void) {
  base = event_base_new();
  signal(SIGPIPE, count);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  when_readable(5, on_c, NULL);
  when_readable(6, on_d, NULL);
  when_readable(7, on_e, NULL);
  return event_base_dispatch(base);
}
