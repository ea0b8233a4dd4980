// Which number is closed stands in a record, where others have a socket: the log gets 1.
// CONFLICT always: on_write on_read: contents of elyze-log
// SAFE: on_read on_read
#include "server.h"

struct output {
  int fd;
};
static struct output console, peer;

static void finish(struct output *output) { close(output->fd); }

HANDLER(on_write) {
  UNUSED;
  write(1, "a", 1);
  write(1, "b", 1);
}

HANDLER(on_read) {
  UNUSED;
  char t[8];
  int in = open("/tmp/elyze-log", O_RDONLY);
  read(in, t, 8);
  close(in);
}

int main(void) {
  base = event_base_new();
  console.fd = 1;
  peer.fd = socket(AF_UNIX, SOCK_STREAM, 0);
  finish(&console);
  open("/tmp/elyze-log", O_WRONLY | O_CREAT, 0600);
  when_readable(3, on_write, NULL);
  when_readable(4, on_read, NULL);
  finish(&peer);
  return event_base_dispatch(base);
}
