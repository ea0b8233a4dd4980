// possible: answer 1\nend\n=0
// A handler asks over a connection that is watched, and reads the answer itself; the other side is a process.
#include "p.h"
static int s[2];
HANDLER(on_read) { UNUSED; char c; printf("watched %d\n", (int)recv(s[0], &c, 1, MSG_DONTWAIT)); }
HANDLER(on_a) {
  UNUSED;
  char c;
  (void)!write(s[0], "?", 1);
  take(60);
  printf("answer %d\n", (int)read(s[0], &c, 1));
}
HANDLER(last) { UNUSED; puts("end"); event_base_loopbreak(base); }
int main(void) {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, s) != 0) return 2;
  if (fork() == 0) {
    char c;
    close(s[0]);
    while (read(s[1], &c, 1) == 1) (void)!write(s[1], "!", 1);
    _exit(0);
  }
  close(s[1]);
  base = event_base_new();
  event_add(event_new(base, s[0], EV_READ | EV_PERSIST, on_read, NULL), NULL);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  due_in(150, last, NULL);
  event_base_dispatch(base);
  return 0;
}
