// possible: (seen\n){6}=0
// In one thread the SIGCHLD of a child is handled before waitpid() returns it. The children end when they are told to.
#include "p.h"
static volatile sig_atomic_t seen;
struct session {
  pid_t child;
  int tell;
};
static void on_child(int n) {
  (void)n;
  seen = 1;
}
HANDLER(on_slow) {
  UNUSED;
  take(80);
}
HANDLER(on_wait) {
  UNUSED;
  struct session* s = arg;
  seen = 0;
  if (write(s->tell, "x", 1) != 1) puts("?");
  waitpid(s->child, NULL, 0);
  puts(seen ? "seen" : "not seen");
}
int main(void) {
  struct sigaction a = {.sa_handler = on_child};
  sigaction(SIGCHLD, &a, NULL);
  base = event_base_new();
  static struct session session[6];
  for (int i = 0; i < 6; i++) {
    int end[2];
    if (pipe(end) != 0) return 1;
    session[i].tell = end[1];
    session[i].child = fork();
    if (session[i].child == 0) {
      char c;
      if (read(end[0], &c, 1) != 1) _exit(1);
      _exit(0);
    }
    due(base, on_slow, &session[i]);
    due(base, on_wait, &session[i]);
  }
  event_base_dispatch(base);
  return 0;
}
