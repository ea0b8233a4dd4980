/* A pointer written into a pipe in pieces comes out at the other end, as with write and read. */
#include <sys/uio.h>

#include "server.h"

struct job {
  int state;
};

static int channel[2];

HANDLER(on_send) {
  struct job *job = arg;
  (void)fd, (void)what;
  job->state = 1;
  struct iovec piece = {&job, sizeof job};
  if (writev(channel[1], &piece, 1) < 0) abort();
}

HANDLER(on_receive) {
  UNUSED;
  struct job *job = NULL;
  struct iovec piece = {&job, sizeof job};
  if (readv(channel[0], &piece, 1) > 0) job->state = 2;
}

int main(void) {
  base = event_base_new();
  if (pipe(channel) != 0) return 1;
  struct job *job = malloc(sizeof *job);
  when_readable(3, on_send, job);
  when_readable(channel[0], on_receive, NULL);
  return event_base_dispatch(base);
}
// CONFLICT always: on_send on_receive: job->state
// CONFLICT always: on_send on_send: job->state
// CONFLICT always: on_receive on_receive: job->state
