/* Who ends the process by a signal finds at most one handler half done. */
#include <sys/mman.h>

#include "small.h"

static volatile char* seen;

HANDLER(on_a) {
  UNUSED;
  seen[0] = 1;
  take(300);
  seen[1] = 1;
}
HANDLER(on_b) {
  UNUSED;
  seen[2] = 1;
  take(500);
  seen[3] = 1;
}

int main(void) {
  static const int numbers[] = {SIGTERM, SIGINT, SIGHUP, SIGALRM};
  seen = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < 4; ++i) {
    memset((void*)seen, 0, 4);
    const pid_t child = fork();
    if (child == 0) {
      base = event_base_new();
      due(base, on_a, NULL);
      due(base, on_b, NULL);
      event_base_dispatch(base);
      return 0;
    }
    int status;
    take(200);
    kill(child, numbers[i]);
    waitpid(child, &status, 0);
    const int half = (seen[0] && !seen[1]) + (seen[2] && !seen[3]);
    printf("%s half done, %s\n", half <= 1 ? "at most one" : "several", strsignal(WTERMSIG(status)));
  }
  return 0;
}
