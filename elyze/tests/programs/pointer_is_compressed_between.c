// The bytes of a pointer are compressed by one handler and come out again in another (zlib.h, uncompress).
// CONFLICT always: on_pack on_pack
// CONFLICT always: on_pack on_unpack: common
// CONFLICT always: on_unpack on_unpack: common
#include "server.h"

extern int compress(void *, unsigned long *, const void *, unsigned long);
extern int uncompress(void *, unsigned long *, const void *, unsigned long);

struct client {
  int jobs;
};

static struct client common;
static unsigned char packed[64];
static unsigned long length;

HANDLER(on_pack) {
  UNUSED;
  struct client *one = &common;
  length = sizeof packed;
  one->jobs++;
  compress(packed, &length, &one, sizeof one);
}

HANDLER(on_unpack) {
  UNUSED;
  struct client *one = arg;
  unsigned long size = sizeof one;
  if (uncompress(&one, &size, packed, length) == 0) one->jobs++;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_pack, NULL);
  for (int fd = 4; fd < 6; ++fd) when_readable(fd, on_unpack, calloc(1, sizeof(struct client)));
  return event_base_dispatch(base);
}
