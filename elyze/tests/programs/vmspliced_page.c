// CONFLICT always: on_a on_a: page
// CONFLICT always: on_a on_b: page
// CONFLICT always: on_b on_b: file from pipe at vmspliced_page.c:25
/* as x_vmspliced_page, the page touched before */
#include "server.h"
#include <sys/uio.h>
static char page[4096] __attribute__((aligned(4096)));
static int r, m;
static long n;
HANDLER(on_a) {
  UNUSED;
  memcpy(page, "aaaa", 4);
  memcpy(page + 2000, "aaaa", 4);
}
HANDLER(on_b) {
  UNUSED;
  char t[4096];
  n = read(r, t, sizeof t);
  m = t[0] == t[2000];
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();
  memset(page, 1, 4096);
  int e[2];
  pipe(e);
  r = e[0];
  struct iovec v = {page, 4096};
  vmsplice(e[1], &v, 1, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
