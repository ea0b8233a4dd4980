// A netlink socket takes an interface down (rtnetlink(7)), also where its family is a parameter.
// CONFLICT always: on_restart on_restart: state of the system
// CONFLICT always: on_restart on_connect: state of the system
// CONFLICT always: on_connect on_connect: failed
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>

#include "server.h"

static int nl, udp, failed;
static int make(int family, int type) { return socket(family, type, 0); }

HANDLER(on_restart) {
  UNUSED;
  struct {
    struct nlmsghdr h;
    struct ifinfomsg i;
  } m = {0};
  m.h.nlmsg_len = sizeof m;
  m.h.nlmsg_type = RTM_NEWLINK;
  m.i.ifi_index = 2;
  m.i.ifi_change = IFF_UP;
  send(nl, &m, sizeof m, 0);
  m.i.ifi_flags = IFF_UP;
  send(nl, &m, sizeof m, 0);
}

HANDLER(on_connect) {
  UNUSED;
  struct sockaddr a = {0};
  failed += connect(udp, &a, sizeof a) < 0;
}

int main(void) {
  base = event_base_new();
  nl = make(AF_NETLINK, SOCK_RAW);
  udp = make(AF_INET, SOCK_DGRAM);
  when_readable(3, on_restart, NULL);
  when_readable(4, on_connect, NULL);
  return event_base_dispatch(base);
}
