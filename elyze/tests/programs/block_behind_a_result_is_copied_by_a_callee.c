// A callee copies what it is given into a block that hangs off the one that it returns.
// CONFLICT always: on_accept on_accept: accepted
// CONFLICT always: on_accept on_use: session->count
// CONFLICT always: on_use on_use: session->count
#include "server.h"

static int accepted;

struct session {
  int count;
};

struct work {
  struct session *session;
  long done, left;
};

struct client {
  struct work *work;
};

static struct client *make(struct work *given) {
  struct client *client = malloc(sizeof *client);
  struct work *work = malloc(sizeof *work);
  memcpy(work, given, sizeof *work);
  client->work = work;
  return client;
}

HANDLER(on_use) {
  UNUSED;
  struct client *client = arg;
  client->work->session->count = 7;
}

HANDLER(on_accept) {
  UNUSED;
  struct session *session = calloc(1, sizeof *session);
  struct work work = {session, 0, 0};
  int news = accept(fd, NULL, NULL);
  for (int i = 0; i < 2; ++i) when_readable(news, on_use, make(&work));
  session->count++;
  accepted++;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_accept, NULL);
  when_readable(4, on_accept, NULL);
  return event_base_dispatch(base);
}
