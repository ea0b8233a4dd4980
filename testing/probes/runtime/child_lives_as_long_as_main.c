// possible: (ended by itself\n){4}=0
// The command wants to die with its parent's thread. That is main's, which waits for it.
#include "p.h"
#include <spawn.h>
extern char** environ;
struct session {
  pid_t child;
};
HANDLER(on_slow) {
  UNUSED;
  take(60);
}
HANDLER(on_a) {
  UNUSED;
  struct session* s = arg;
  char* words[] = {"setpriv", "--pdeathsig", "TERM", "sleep", "0.8", NULL};
  posix_spawnp(&s->child, "setpriv", NULL, NULL, words, environ);
  take(60);
}
int main(void) {
  base = event_base_new();
  static struct session session[4];
  for (int i = 0; i < 4; i++) due(base, on_slow, &session[i]), due(base, on_a, &session[i]);
  event_base_dispatch(base);
  event_base_free(base);
  for (int i = 0; i < 4; i++) {
    int status = 0;
    waitpid(session[i].child, &status, 0);
    puts(WIFEXITED(status) ? "ended by itself" : "was ended");
  }
  return 0;
}
