// CONFLICT always: on_a on_a: most.tv_sec
// CONFLICT always: on_a on_b: most.tv_sec
// CONFLICT always: on_b on_b: n
/* it may return its second argument */
#include "server.h"
struct ares_channeldata;
typedef struct ares_channeldata *ares_channel;
extern int ares_init(ares_channel *);
extern struct timeval *ares_timeout(ares_channel, struct timeval *, struct timeval *);
static struct timeval most = {9, 0};
static long n;
HANDLER(on_a) {
  UNUSED;
  struct timeval t, *w = ares_timeout(arg, &most, &t);
  if (w) w->tv_sec--;
}
HANDLER(on_b) {
  UNUSED;
  n = most.tv_sec;
  n += most.tv_sec;
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();
  ares_channel c;
  ares_init(&c);
  when_readable(3, on_a, c);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
