// ares_fds(3): the numbers in the sets are the sockets of the channel.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b

#include <sys/select.h>

#include "server.h"
typedef struct ares_channeldata *ares_channel;
typedef int (*sock_cb)(int, int, void *);
typedef void (*state_cb)(void *, int, int, int);
struct ares_options {
  int flags, timeout, tries, ndots;
  unsigned short u, t;
  int s, r;
  void *servers;
  int n;
  char **d;
  int nd;
  char *l;
  state_cb cb;
  void *data;
};
extern int ares_init(ares_channel *), ares_init_options(ares_channel *, struct ares_options *, int);
extern void ares_set_socket_callback(ares_channel, sock_cb, void *), ares_cancel(ares_channel),
    ares_process(ares_channel, fd_set *, fd_set *);
extern int ares_fds(ares_channel, fd_set *, fd_set *);
static ares_channel c;
static int sock;
static char buf[4];
static long seen;
static fd_set r, w;
HANDLER(on_a) {
  UNUSED;
  ares_cancel(c);
}
HANDLER(on_b) {
  (void)what;
  (void)arg;
  recv(sock, buf, 4, MSG_PEEK);
  recv(sock, buf, 4, MSG_PEEK);
}
int main(int argc, char **argv) {
  base = event_base_new();
  ares_init(&c);
  ares_fds(c, &r, &w);
  for (int i = 0; i < 100; i++)
    if (FD_ISSET(i, &r)) sock = i;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
