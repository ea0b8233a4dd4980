// possible: 60 0 1\n=0
// A handler jumps out of the loop; its base is freed, and a new one made, again and again: nothing is left open.
#include "p.h"
#include <dirent.h>
static jmp_buf out;
static int open_files(const char* where) {
  DIR* d = opendir(where);
  int n = 0;
  while (readdir(d) != NULL) n++;
  closedir(d);
  return n;
}
HANDLER(on_jump) {
  UNUSED;
  take(2);
  longjmp(out, 1);
}
HANDLER(on_other) {
  UNUSED;
  take(1);
}
static volatile int i;
int main(void) {
  int before = open_files("/proc/self/fd");
  for (i = 0; i < 60; ++i) {
    base = event_base_new();
    due(base, spare, NULL);
    for (int j = 0; j < 3; ++j) due(base, on_other, NULL);
    due(base, on_jump, NULL);
    if (setjmp(out) == 0) event_base_dispatch(base);
    event_base_free(base);
  }
  int files = open_files("/proc/self/fd") - before;
  printf("%d %d %d\n", i, files, open_files("/proc/self/task") - 2 < 12);
  return 0;
}
