// CONFLICT always: on_a on_a: file of ctl
// CONFLICT always: on_a on_b: interfaces of the network
// CONFLICT always: on_b on_b: addresses of sockets
/* EADDRNOTAVAIL while the interface has another address */
#include "server.h"
#include <net/if.h>
#include <sys/ioctl.h>
#include <netinet/in.h>
#include <netdb.h>
#include <arpa/inet.h>
static int ctl, u, n;
HANDLER(on_a) {
  UNUSED;
  struct ifreq r = {0};
  strcpy(r.ifr_name, "none0");
  struct sockaddr_in* a = (void*)&r.ifr_addr;
  a->sin_family = AF_INET;
  a->sin_addr.s_addr = htonl(0x0a000009);
  ioctl(ctl, SIOCSIFADDR, &r);
  a->sin_addr.s_addr = htonl(0x0a000001);
  ioctl(ctl, SIOCSIFADDR, &r);
}
HANDLER(on_b) {
  UNUSED;
  struct sockaddr_in a = {.sin_family = AF_INET};
  a.sin_addr.s_addr = htonl(0x0a000001);
  n = bind(u, (struct sockaddr*)&a, sizeof a);
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();
  ctl = socket(AF_INET, SOCK_DGRAM, 0);
  u = socket(AF_INET, SOCK_STREAM, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
