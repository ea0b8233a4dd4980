// Bytes that are written to a memory stream stand in its text, those of pointers too.
// CONFLICT always: on_own on_found: *found
// CONFLICT always: on_found on_found
#include "server.h"

struct job {
  long number;
  long *hits;
};

static long *found;

HANDLER(on_own) {
  struct job *job = arg;
  (void)fd, (void)what;
  ++*job->hits;
}

HANDLER(on_found) {
  UNUSED;
  ++*found;
}

int main(void) {
  char *text;
  size_t size;
  FILE *stream = open_memstream(&text, &size);
  struct job *job = calloc(1, sizeof *job);
  struct job copy;
  job->hits = calloc(1, sizeof *job->hits);
  if (fwrite(job, sizeof *job, 1, stream) != 1 || fclose(stream) != 0) return 1;
  memcpy(&copy, text, sizeof copy);
  found = copy.hits;
  base = event_base_new();
  when_readable(3, on_own, job);
  when_readable(4, on_found, NULL);
  return event_base_dispatch(base);
}
