// What was read is out of date when the new file takes the name: an update is lost, though each file is written by one.
// CONFLICT always: on_update on_update: contents of totals
// CONFLICT always: on_update on_read: contents of totals
// SAFE: on_read on_read
#include "server.h"

static int total(void) {
  int sum = 0;
  FILE *file = fopen("/srv/totals", "r");
  if (file == NULL) return 0;
  if (fscanf(file, "%d", &sum) != 1) sum = 0;
  fclose(file);
  return sum;
}

HANDLER(on_update) {
  UNUSED;
  char name[] = "/srv/newXXXXXX";
  int file = mkstemp(name);
  dprintf(file, "%d\n", total() + 1);
  close(file);
  rename(name, "/srv/totals");
}

HANDLER(on_read) {
  UNUSED;
  printf("%d\n", total());
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_update, NULL);
  when_readable(4, on_read, NULL);
  return event_base_dispatch(base);
}
