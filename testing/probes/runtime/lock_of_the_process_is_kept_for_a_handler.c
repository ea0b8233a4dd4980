// possible: locked\n=0
// A has a record lock and asks another process whether it holds. B opens and closes the same file, by which the process
// loses its locks (fcntl(2)): before A or after it.
#include "p.h"
#define PLACE "out/record"
static int ask[2];
static void helper(void) {
  char c;
  struct flock l = {.l_type = F_WRLCK};
  while (read(ask[1], &c, 1) == 1) {
    int f = open(PLACE, O_RDWR);
    l.l_type = F_WRLCK;
    fcntl(f, F_GETLK, &l);
    c = l.l_type == F_UNLCK ? 'n' : 'y';
    close(f);
    if (write(ask[1], &c, 1) != 1) _exit(0);
  }
  _exit(0);
}
HANDLER(on_a) {
  UNUSED;
  char c = '?';
  int f = open(PLACE, O_RDWR | O_CREAT, 0600);
  struct flock l = {.l_type = F_WRLCK};
  fcntl(f, F_SETLK, &l);
  take(120);
  if (write(ask[0], &c, 1) != 1 || read(ask[0], &c, 1) != 1) return;
  puts(c == 'y' ? "locked" : "lost");
  close(f);
}
HANDLER(on_b) {
  UNUSED;
  take(60);
  close(open(PLACE, O_RDONLY));
}
int main(void) {
  socketpair(AF_UNIX, SOCK_STREAM, 0, ask);
  if (fork() == 0) close(ask[0]), helper();
  close(ask[1]);
  base = event_base_new();
  due(base, on_a, NULL);
  due(base, on_b, NULL);
  event_base_dispatch(base);
  return 0;
}
