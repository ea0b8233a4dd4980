// splice() moves its offsets, setitimer() tells the old timer, prctl() and ioctl() fill what they are given.
// CONFLICT always: on_splice on_splice: offset
// CONFLICT always: on_itimer on_itimer: old
// CONFLICT always: on_name on_name: name
// CONFLICT always: on_config on_config: buffer
// CONFLICT always: on_sign on_sign: sign
// SAFE: on_splice on_itimer
// SAFE: on_splice on_name
// SAFE: on_splice on_config
// SAFE: on_splice on_sign
// SAFE: on_itimer on_config
// SAFE: on_itimer on_sign
// IMPRECISE: on_name on_config: never
// SAFE: on_name on_sign
// SAFE: on_config on_sign
// CONFLICT always: on_itimer on_name: signals of the process
#define _GNU_SOURCE
#include <math.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/time.h>

#include "server.h"

static loff_t offset;
static struct itimerval old;
static char name[16];
static char buffer[512];
static int sign;

HANDLER(on_splice) {
  UNUSED;
  int ends[2];
  if (pipe(ends) != 0) return;
  splice(ends[0], NULL, ends[1], &offset, 1, 0);
  close(ends[0]);
  close(ends[1]);
}

HANDLER(on_itimer) {
  UNUSED;
  const struct itimerval now = {{0, 0}, {1, 0}};
  setitimer(ITIMER_REAL, &now, &old);
}

HANDLER(on_name) {
  UNUSED;
  prctl(PR_GET_NAME, name, 0, 0, 0);
}

HANDLER(on_config) {
  UNUSED;
  struct ifconf all = {.ifc_len = sizeof buffer};
  all.ifc_buf = buffer;
  int file = socket(AF_INET, SOCK_DGRAM, 0);
  ioctl(file, SIOCGIFCONF, &all);
  close(file);
}

static double logarithm(double x, int *of) { return lgamma_r(x, of); }

HANDLER(on_sign) {
  UNUSED;
  if (logarithm(fd, &sign) > 9) abort();
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_splice, NULL);
  when_readable(4, on_itimer, NULL);
  when_readable(5, on_name, NULL);
  when_readable(6, on_config, NULL);
  when_readable(7, on_sign, NULL);
  return event_base_dispatch(base);
}
