// CONFLICT always: on_a on_a: file of nl
// CONFLICT always: on_a on_b: file of nl
// CONFLICT always: on_b on_b: n
/* the same through a netlink socket */
#include "server.h"
#include <net/if.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <ifaddrs.h>
static int nl;
static unsigned n;
HANDLER(on_a) {
  UNUSED;
  struct {
    struct nlmsghdr h;
    struct ifinfomsg i;
  } m = {{sizeof m, RTM_NEWLINK, NLM_F_REQUEST, 0, 0}, {0, 0, 2, 0, IFF_UP}};
  send(nl, &m, sizeof m, 0);
  m.i.ifi_flags = IFF_UP;
  send(nl, &m, sizeof m, 0);
}
HANDLER(on_b) {
  UNUSED;
  struct ifaddrs* l;
  if (!getifaddrs(&l)) {
    n = l->ifa_flags;
    freeifaddrs(l);
  }
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();
  nl = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
