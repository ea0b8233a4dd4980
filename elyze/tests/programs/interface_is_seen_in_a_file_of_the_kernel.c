// CONFLICT always: on_a on_b: state that files of the kernel show
// CONFLICT always: on_b on_b
// CONFLICT always: on_a on_a
// An interface is down for a moment, and shows in a file below /sys.
#include "server.h"
#include <net/if.h>
#include <sys/ioctl.h>
#include <netinet/in.h>
#include <netdb.h>
#include <arpa/inet.h>
static int ctl, f, up;
static long n;
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
  char t[9];
  n = pread(f, t, 9, 0);
  up = t[0] == 'u';
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();
  ctl = socket(AF_INET, SOCK_DGRAM, 0);
  f = open("/sys/class/net/eth0/operstate", O_RDONLY);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
