// CONFLICT always: on_a on_a: file of ctl
// CONFLICT always: on_a on_b: interfaces of the network
// CONFLICT always: on_b on_b: file of u
/* ENETUNREACH while it is down */
#include "server.h"
#include <net/if.h>
#include <sys/ioctl.h>
#include <netinet/in.h>
#include <netdb.h>
#include <arpa/inet.h>
static int ctl, u, n;
HANDLER(on_a) {
  UNUSED;
  struct ifreq r;
  strcpy(r.ifr_name, "none0");
  r.ifr_flags = 0;
  ioctl(ctl, SIOCSIFFLAGS, &r);
  r.ifr_flags = IFF_UP;
  ioctl(ctl, SIOCSIFFLAGS, &r);
}
HANDLER(on_b) {
  UNUSED;
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(53)};
  a.sin_addr.s_addr = htonl(0x0a000001);
  n = connect(u, (struct sockaddr*)&a, sizeof a);
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();
  ctl = socket(AF_INET, SOCK_DGRAM, 0);
  u = socket(AF_INET, SOCK_DGRAM, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
