// possible: (00|11)\n=0
// A starts a command that writes two files and waits for it; who reads both sees both or none.
#include "p.h"
#include <spawn.h>
#define PLACE "out/"
extern char** environ;
static char first(const char* path) {
  char c = '0';
  int f = open(path, O_RDONLY);
  if (f >= 0 && read(f, &c, 1) != 1) c = '?';
  close(f);
  return c;
}
HANDLER(on_a) {
  UNUSED;
  pid_t p;
  char* words[] = {"sh", "-c", "printf 1 > " PLACE "s1; sleep 0.3; printf 1 > " PLACE "s2", NULL};
  posix_spawn(&p, "/bin/sh", NULL, NULL, words, environ);
  waitpid(p, NULL, 0);
}
HANDLER(on_b) {
  UNUSED;
  take(150);
  printf("%c%c\n", first(PLACE "s1"), first(PLACE "s2"));
}
int main(void) {
  unlink(PLACE "s1"), unlink(PLACE "s2");
  base = event_base_new();
  due(base, on_a, NULL);
  due(base, on_b, NULL);
  event_base_dispatch(base);
  return 0;
}
