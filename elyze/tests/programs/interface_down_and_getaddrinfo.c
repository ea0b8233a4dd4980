// CONFLICT always: on_a on_a: file of ctl
// CONFLICT always: on_a on_b: interfaces of the network
// CONFLICT always: on_b on_b: n
/* AI_ADDRCONFIG looks at the interfaces */
#include "server.h"
#include <net/if.h>
#include <sys/ioctl.h>
#include <netinet/in.h>
#include <netdb.h>
#include <arpa/inet.h>
static int ctl, n;
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
  struct addrinfo h = {.ai_flags = AI_ADDRCONFIG}, *r = 0;
  n = getaddrinfo("host", "80", &h, &r);
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();
  ctl = socket(AF_INET, SOCK_DGRAM, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
