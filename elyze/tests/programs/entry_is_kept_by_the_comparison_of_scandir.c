// CONFLICT always: on_a on_a: *list
// CONFLICT always: on_a on_b: *list
// CONFLICT always: on_b on_b: seen
#include <dirent.h>

#include "server.h"
static struct dirent **list, *kept;
static int seen;
static int cmp(const struct dirent** a, const struct dirent** b) {
  kept = (struct dirent*)*a;
  return strcmp((*a)->d_name, (*b)->d_name);
}
HANDLER(on_a) {
  UNUSED;
  if (kept) {
    kept->d_name[0] = 'a';
    kept->d_name[1] = 'b';
  }
}
HANDLER(on_b) {
  UNUSED;
  if (list) seen = list[0]->d_name[0] + list[0]->d_name[1];
}
int main(int argc, char** argv) {
  base = event_base_new();
  scandir("/srv", &list, NULL, cmp);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
