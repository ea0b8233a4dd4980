// possible: (2 created\n)=0
// A makes two files; who watches the directory hears of both in one read.
#include "p.h"
#include <sys/inotify.h>
#define PLACE "out/watched/"
static int watch;
HANDLER(on_a) {
  UNUSED;
  close(open(PLACE "w1", O_WRONLY | O_CREAT, 0600));
  take(80);
  close(open(PLACE "w2", O_WRONLY | O_CREAT, 0600));
}
HANDLER(on_change) {
  UNUSED;
  char all[4096];
  ssize_t n = read(watch, all, sizeof all);
  int made = 0;
  for (char* at = all; at < all + n; made++) at += sizeof(struct inotify_event) + ((struct inotify_event*)at)->len;
  printf("%d created\n", made);
}
HANDLER(on_end) {
  UNUSED;
  event_base_loopbreak(base);
}
int main(void) {
  unlink(PLACE "w1"), unlink(PLACE "w2");
  watch = inotify_init1(IN_NONBLOCK);
  inotify_add_watch(watch, PLACE, IN_CREATE);
  base = event_base_new();
  event_add(event_new(base, watch, EV_READ | EV_PERSIST, on_change, NULL), NULL);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  due_in(300, on_end, NULL);
  event_base_dispatch(base);
  return 0;
}
