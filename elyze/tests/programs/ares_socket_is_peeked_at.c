// A resolver reads the sockets that it is told of.
// CONFLICT always: on_a on_a: *c
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b: seen

#include "server.h"

struct ares_channeldata;
typedef struct ares_channeldata *ares_channel;
extern int ares_init(ares_channel *);
extern int ares_getsock(ares_channel, int *, int);
extern void ares_process_fd(ares_channel, int, int);
static long seen;
static ares_channel c;
static int socks[16];
HANDLER(on_a) {
  UNUSED;
  ares_process_fd(c, fd, -1);
  ares_process_fd(c, fd, -1);
}
HANDLER(on_b) {
  UNUSED;
  char b;
  seen = recv(fd, &b, 1, MSG_PEEK);
  seen += recv(fd, &b, 1, MSG_PEEK);
}
int main(void) {
  base = event_base_new();
  ares_init(&c);
  ares_getsock(c, socks, 16);
  when_readable(socks[0], on_a, NULL);
  when_readable(socks[0], on_b, NULL);
  return event_base_dispatch(base);
}
