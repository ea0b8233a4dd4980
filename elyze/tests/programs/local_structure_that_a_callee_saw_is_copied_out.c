// A session goes into a local structure that a callee has filled too, and with it into the block that is returned.
// CONFLICT always: on_accept on_accept: accepted
// CONFLICT always: on_accept on_use: session->count
// CONFLICT always: on_use on_use: session->count
#include "server.h"

static int accepted;

struct session {
  int count;
};

struct client {
  struct session *session;
  long fd, number;
};

static void set_number(struct client *client, int number) { client->number = number; }

static struct client *make(struct session *session, int fd) {
  struct client filled;
  set_number(&filled, fd);
  filled.session = session;
  filled.fd = fd;
  struct client *client = malloc(sizeof *client);
  *client = filled;
  return client;
}

HANDLER(on_use) {
  UNUSED;
  struct client *client = arg;
  client->session->count = 7;
}

HANDLER(on_accept) {
  UNUSED;
  struct session *session = calloc(1, sizeof *session);
  int news = accept(fd, NULL, NULL);
  for (int i = 0; i < 2; ++i) when_readable(news, on_use, make(session, news));
  session->count++;
  accepted++;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_accept, NULL);
  when_readable(4, on_accept, NULL);
  return event_base_dispatch(base);
}
