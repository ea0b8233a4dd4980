/* Records with pointers in them, written to a temporary file and read back. */
#include "server.h"

static FILE *spool;

struct record {
  int *counter;
};

HANDLER(on_store) {
  struct record record = {arg};
  (void)fd, (void)what;
  (*record.counter)++;
  fwrite(&record, sizeof record, 1, spool);
}

HANDLER(on_load) {
  UNUSED;
  struct record record = {NULL};
  if (fread(&record, sizeof record, 1, spool) == 1) (*record.counter)++;
}

int main(void) {
  base = event_base_new();
  spool = tmpfile();
  int *counter = calloc(1, sizeof *counter);
  when_readable(3, on_store, counter);
  when_readable(4, on_load, NULL);
  return event_base_dispatch(base);
}
// CONFLICT always: on_store on_load: *record->counter
// CONFLICT session: on_store on_store: *record->counter
// CONFLICT always: on_load on_load: *record->counter
