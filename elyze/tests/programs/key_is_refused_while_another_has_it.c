// With IPC_EXCL, a key is refused while a segment has it (shmget(2)). IPC_PRIVATE is no key.
// CONFLICT always: on_key on_key: keys of shared memory
// CONFLICT always: on_key on_session: keys of shared memory
// CONFLICT always: on_session on_session: keys of shared memory
// SAFE: on_key on_private
// SAFE: on_session on_private
// SAFE: on_private on_private
#include <sys/shm.h>

#include "server.h"

struct client {
  key_t key;
};

static int segment(key_t key) { return shmget(key, 4096, IPC_CREAT | IPC_EXCL | 0600); }

HANDLER(on_key) {
  UNUSED;
  int made = shmget(0x6865646c, 4096, IPC_CREAT | IPC_EXCL | 0600);
  if (made >= 0) shmctl(made, IPC_RMID, NULL);
}

HANDLER(on_session) {
  (void)fd, (void)what;
  struct client *client = arg;
  int made = segment(client->key);
  if (made >= 0) shmctl(made, IPC_RMID, NULL);
}

HANDLER(on_private) {
  UNUSED;
  if (shmget(IPC_PRIVATE, 0, 0600) >= 0) return;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_key, NULL);
  when_readable(4, on_private, NULL);
  for (int i = 0; i < 2; i++) {
    struct client *client = calloc(1, sizeof *client);
    client->key = 0x6865646d + i;
    when_readable(5 + i, on_session, client);
  }
  return event_base_dispatch(base);
}
