// CONFLICT always: on_a on_a: *list
// CONFLICT always: on_a on_b: *list
// CONFLICT always: on_b on_b: seen
#include <dirent.h>

#include "server.h"
static struct dirent** list;
static int seen;
static struct dirent* first;
static int cmp(const struct dirent** a, const struct dirent** b) {
  if (!first) first = (void*)*a;
  return 0;
}
HANDLER(on_a) {
  UNUSED;
  if (first) {
    first->d_type++;
    first->d_type++;
  }
}
HANDLER(on_b) {
  UNUSED;
  if (list) seen = list[1]->d_type;
}
int main(int argc, char** argv) {
  base = event_base_new();
  scandir("/srv", &list, NULL, cmp);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
