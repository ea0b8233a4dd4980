// A pipe knows no borders: what was written as one structure is read by its members, and the other way round.
// CONFLICT always: on_send on_receive: job->hits
// CONFLICT always: on_gather on_take: job->hits
#include <sys/uio.h>

#include "server.h"

struct job {
  long hits;
};

struct message {
  long number;
  struct job *job;
};

static int whole[2], parts[2];

HANDLER(on_send) {
  struct message message = {1, arg};
  (void)fd, (void)what;
  message.job->hits++;
  if (write(whole[1], &message, sizeof message) < 0) abort();
}

HANDLER(on_receive) {
  UNUSED;
  long number;
  struct job *job;
  if (read(whole[0], &number, sizeof number) > 0 && read(whole[0], &job, sizeof job) > 0) job->hits++;
}

HANDLER(on_gather) {
  struct job *job = arg;
  long number = 1;
  (void)fd, (void)what;
  struct iovec all[2] = {{&number, sizeof number}, {&job, sizeof job}};
  job->hits++;
  if (writev(parts[1], all, 2) < 0) abort();
}

HANDLER(on_take) {
  UNUSED;
  struct message message;
  if (read(parts[0], &message, sizeof message) == sizeof message) message.job->hits++;
}

int main(void) {
  base = event_base_new();
  if (pipe(whole) != 0 || pipe(parts) != 0) return 1;
  when_readable(3, on_send, calloc(1, sizeof(struct job)));
  when_readable(4, on_gather, calloc(1, sizeof(struct job)));
  when_readable(whole[0], on_receive, NULL);
  when_readable(parts[0], on_take, NULL);
  return event_base_dispatch(base);
}
