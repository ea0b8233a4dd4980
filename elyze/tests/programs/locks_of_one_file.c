// A lock of a file is refused to, or kept from, whoever has the file open by another descriptor: flock(2), fcntl(2).
// CONFLICT always: on_whole on_whole: contents of state
// CONFLICT always: on_whole on_open_file: contents of state
// CONFLICT always: on_whole on_session: contents of state
// SAFE: on_whole on_flags
// CONFLICT always: on_open_file on_open_file: contents of state
// CONFLICT always: on_open_file on_session: contents of state
// SAFE: on_open_file on_flags
// CONFLICT always: on_session on_session: contents of some file
// SAFE: on_session on_flags
// SAFE: on_flags on_flags
#define _GNU_SOURCE 1
#include <sys/file.h>

#include "server.h"

struct client {
  char path[40];
};

HANDLER(on_whole) {
  UNUSED;
  int file = open("/tmp/heddle/state", O_RDWR);
  if (flock(file, LOCK_EX | LOCK_NB) == 0) flock(file, LOCK_UN);
  close(file);
}

HANDLER(on_open_file) {
  UNUSED;
  int file = open("/tmp/heddle/state", O_RDWR);
  struct flock whole = {.l_type = F_WRLCK};
  if (fcntl(file, F_OFD_SETLK, &whole) != 0) fcntl(file, F_OFD_GETLK, &whole);
  close(file);
}

static void lock(int file) { flock(file, LOCK_EX | LOCK_NB); }

HANDLER(on_session) {
  (void)fd, (void)what;
  struct client *client = arg;
  int file = open(client->path, O_RDWR);
  lock(file);
  close(file);
}

// No lock.
HANDLER(on_flags) {
  UNUSED;
  int file = open("/tmp/heddle/state", O_RDWR);
  fcntl(file, F_SETFD, FD_CLOEXEC);
  close(file);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_whole, NULL);
  when_readable(4, on_open_file, NULL);
  when_readable(5, on_flags, NULL);
  for (int i = 0; i < 2; i++) {
    struct client *client = calloc(1, sizeof *client);
    snprintf(client->path, sizeof client->path, "/tmp/heddle/%d", i);
    when_readable(6 + i, on_session, client);
  }
  return event_base_dispatch(base);
}
