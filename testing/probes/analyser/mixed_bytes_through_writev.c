// A pointer goes through a pipe as mixed bytes, gathered by writev().
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b: item
// CONFLICT always: on_b on_b
#include <stdint.h>
#include <sys/uio.h>
#include "server.h"
struct item {
  long hits;
};
static struct item* item;
static int ends[2];
HANDLER(on_a) {
  UNUSED;
  struct item* mine = item;
  unsigned char bytes[8];
  for (int i = 0; i < 8; i++) bytes[i] = ((unsigned char*)&mine)[i] ^ 0x5a;
  struct iovec part = {bytes, sizeof bytes};
  if (writev(ends[1], &part, 1) == 8) mine->hits++;
}
HANDLER(on_b) {
  UNUSED;
  unsigned char bytes[8];
  struct item* found;
  if (read(ends[0], bytes, 8) != 8) return;
  for (int i = 0; i < 8; i++) ((unsigned char*)&found)[i] = bytes[i] ^ 0x5a;
  found->hits++;
}

int main(void) {
  base = event_base_new();
  item = calloc(1, sizeof *item);
  if (pipe(ends)) return 1;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
