// An interface has one set of flags, by whichever socket they are changed (netdevice(7)).
// CONFLICT always: on_a on_b: interfaces of the network
#include "server.h"
#include <ifaddrs.h>
#include <net/if.h>
#include <sys/ioctl.h>
static int control;
static unsigned flags;
HANDLER(on_a) {
  UNUSED;
  struct ifreq r = {.ifr_name = "none0"};
  ioctl(control, SIOCGIFFLAGS, &r);
  r.ifr_flags &= ~IFF_UP;
  ioctl(control, SIOCSIFFLAGS, &r);
  r.ifr_flags |= IFF_UP;
  ioctl(control, SIOCSIFFLAGS, &r);
}
HANDLER(on_b) {
  UNUSED;
  struct ifaddrs* all;
  if (getifaddrs(&all) != 0) return;
  flags = all->ifa_flags;
  freeifaddrs(all);
}
int main(void) {
  base = event_base_new();
  control = socket(AF_INET, SOCK_DGRAM, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  event_base_dispatch(base);
}
