/* main returns while another thread's loop runs: one handler at most is half done in the end. What they have done is in
   memory that a child of the program looks at. */
#include <sys/mman.h>

#include "small.h"

static volatile int* done;

HANDLER(on_a) {
  UNUSED;
  done[0] = 1;
  take(200);
  done[0] = 2;
}
HANDLER(on_b) {
  UNUSED;
  done[1] = 1;
  take(250);
  done[1] = 2;
}

static void* run(void* unused) {
  event_base_dispatch(base);
  return unused;
}

int main(void) {
  pthread_t thread;
  int status = 0;
  done = mmap(NULL, sizeof(int[2]), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pid_t child = fork();
  if (child != 0) {
    waitpid(child, &status, 0);
    say((done[0] == 1) + (done[1] == 1) > 1 ? "several are half done\n" : "one at most is half done\n");
    return WEXITSTATUS(status);
  }
  base = event_base_new();
  due(base, on_a, NULL);
  due(base, on_b, NULL);
  pthread_create(&thread, NULL, run, NULL);
  take(100);
  return 0;
}
