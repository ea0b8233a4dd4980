// A process loses its record locks of a file with any descriptor of that file that it closes (fcntl(2)).
// CONFLICT always: on_lock on_lock: contents of record
// CONFLICT always: on_lock on_look: contents of record
// CONFLICT always: on_lock on_stream: contents of record
// SAFE: on_lock on_other
// SAFE: on_lock on_socket
// CONFLICT always: on_look on_look: contents of record
// CONFLICT always: on_look on_stream: contents of record
// SAFE: on_look on_other
// SAFE: on_look on_socket
// CONFLICT always: on_stream on_stream: contents of record
// SAFE: on_stream on_other
// SAFE: on_stream on_socket
// CONFLICT always: on_other on_other: contents of other
// SAFE: on_other on_socket
// SAFE: on_socket on_socket
#include "server.h"

static void lock(int file, short type) {
  struct flock whole = {.l_type = type};
  fcntl(file, F_SETLK, &whole);
}

HANDLER(on_lock) {
  UNUSED;
  int file = open("/tmp/heddle/record", O_RDWR);
  lock(file, F_WRLCK);
  lock(file, F_UNLCK);
  close(file);
}

static int opened(const char *path) { return open(path, O_RDONLY); }

HANDLER(on_look) {
  UNUSED;
  close(open("/tmp/heddle/record", O_RDONLY));
}

HANDLER(on_stream) {
  UNUSED;
  FILE *stream = fopen("/tmp/heddle/record", "r");
  if (stream != NULL) fclose(stream);
}

HANDLER(on_other) {
  UNUSED;
  close(open("/tmp/heddle/other", O_RDONLY));
}

HANDLER(on_socket) {
  UNUSED;
  close(socket(AF_INET, SOCK_STREAM, 0));
}

int main(void) {
  base = event_base_new();
  close(opened("/tmp/heddle/record"));
  when_readable(3, on_lock, NULL);
  when_readable(4, on_look, NULL);
  when_readable(5, on_stream, NULL);
  when_readable(6, on_other, NULL);
  when_readable(7, on_socket, NULL);
  return event_base_dispatch(base);
}
