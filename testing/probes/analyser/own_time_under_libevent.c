// CONFLICT always: on_a on_b: x
/* evutil_date_rfc1123() asks time() */
#include "server.h"
#include <event2/util.h>
static int calls, n, m;
time_t time(time_t* t) {
  calls++;
  struct timespec s;
  clock_gettime(CLOCK_REALTIME, &s);
  if (t) *t = s.tv_sec;
  return s.tv_sec;
}
HANDLER(on_a) {
  UNUSED;
  char t[64];
  evutil_date_rfc1123(t, sizeof t, NULL);
  n = t[0];
}
HANDLER(on_b) {
  UNUSED;
  int k = calls;
  m = k + calls;
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
