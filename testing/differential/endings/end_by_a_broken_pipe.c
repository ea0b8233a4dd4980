/* Nobody reads what a handler writes: the process ends, and no other handler is cut off. What they have done is in
   memory that the process shares with its parent. */
#include <sys/mman.h>

#include "small.h"

static volatile int* done;
static int end[2];

HANDLER(on_write) {
  UNUSED;
  take(50);
  if (write(end[1], "x", 1) < 0) say("failed\n");
}
HANDLER(on_work) {
  UNUSED;
  *done = 1;
  take(150);
  *done = 2;
}

int main(void) {
  int status = 0;
  done = mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pid_t child = fork();
  if (child != 0) {
    waitpid(child, &status, 0);
    say(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE ? "broken pipe\n" : "another end\n");
    say(*done == 1 ? "half done\n" : "between handlers\n");
    return 0;
  }
  signal(SIGPIPE, SIG_DFL);
  if (pipe(end) != 0) return 1;
  close(end[0]);
  base = event_base_new();
  due(base, on_work, NULL);
  due(base, on_write, NULL);
  event_base_dispatch(base);
  return 0;
}
