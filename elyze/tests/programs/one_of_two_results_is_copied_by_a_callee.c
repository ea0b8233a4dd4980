// A callee copies what it is given into one of two blocks, and returns that.
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

static struct work *make(struct work *given, int large) {
  struct work *work;
  if (large) {
    work = malloc(2 * sizeof *work);
    memcpy(work, given, sizeof *work);
  } else {
    work = calloc(1, sizeof *work);
    memcpy(work, given, sizeof *work);
  }
  return work;
}

HANDLER(on_use) {
  UNUSED;
  struct work *work = arg;
  work->session->count = 7;
}

HANDLER(on_accept) {
  UNUSED;
  struct session *session = calloc(1, sizeof *session);
  struct work work = {session, 0, 0};
  int news = accept(fd, NULL, NULL);
  for (int i = 0; i < 2; ++i) when_readable(news, on_use, make(&work, i));
  session->count++;
  accepted++;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_accept, NULL);
  when_readable(4, on_accept, NULL);
  return event_base_dispatch(base);
}
