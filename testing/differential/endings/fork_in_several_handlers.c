// Handlers that all want to fork do not wait for each other.
#include "small.h"

struct s {
  int st;
};
HANDLER(on_a) {
  (void)fd, (void)what;
  struct s* s = arg;
  take(10);
  pid_t p = fork();
  if (p == 0) _exit(7);
  waitpid(p, &s->st, 0);
}
int main(void) {
  alarm(20);
  base = event_base_new();
  struct s* all[6];
  for (int i = 0; i < 6; i++) due(base, on_a, all[i] = calloc(1, sizeof(struct s)));
  event_base_dispatch(base);
  for (int i = 0; i < 6; i++) printf("%d\n", WEXITSTATUS(all[i]->st));
}
