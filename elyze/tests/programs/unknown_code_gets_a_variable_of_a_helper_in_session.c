// A helper gives unknown code the address of a structure of its own, in which a session stands.
// CONFLICT session: on_read on_read: client->count
// CONFLICT always: on_write on_read: client->count
// CONFLICT always: on_write on_write
#include "server.h"
struct client {
  long magic, count;
};
struct request {
  int kind;
  struct client *client;
};
extern struct client *theirs;
void note_request(const struct request *request);
static void note(struct client *client) {
  struct request request = {1, client};
  note_request(&request);
}
HANDLER(on_write) {
  UNUSED;
  theirs->count++;
}
HANDLER(on_read) {
  struct client *client = arg;
  (void)fd, (void)what;
  client->count++;
}
int main(void) {
  base = event_base_new();
  for (int i = 4; i < 8; i++) {
    struct client *client = calloc(1, sizeof *client);
    note(client);
    when_readable(i, on_read, client);
  }
  when_readable(3, on_write, NULL);
  return event_base_dispatch(base);
}
