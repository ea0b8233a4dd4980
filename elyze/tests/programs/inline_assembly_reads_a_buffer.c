// A checksum in assembly: it reads through a pointer in a register, without saying so, and hands numbers through; a
// barrier hands a pointer through.
// CONFLICT session: on_data on_data: client->text
// CONFLICT always: on_sum on_sum: total
// CONFLICT session: on_data on_sum: client->text
// CONFLICT session: on_data on_fill: client->count
// IMPRECISE: on_sum on_fill: never
// CONFLICT session: on_fill on_fill: client->count
#include "server.h"

static unsigned long total;

struct client {
  unsigned long text[4];
  unsigned long count;
};

HANDLER(on_data) {
  struct client *client = arg;
  UNUSED;
  client->text[0] = client->count == 0;
}

HANDLER(on_sum) {
  struct client *client = arg;
  unsigned long sum = 0;
  UNUSED;
  __asm__("crc32q\t(%1), %0" : "=r"(sum) : "r"(client->text), "0"(sum));
  total += sum;
}

HANDLER(on_fill) {
  struct client *client = arg;
  unsigned long *count = &client->count;
  UNUSED;
  __asm__("" : "+r"(count));
  *count += 1;
}

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i++) {
    struct client *client = calloc(1, sizeof *client);
    when_readable(i, on_data, client);
    when_readable(i, on_sum, client);
    when_readable(i, on_fill, client);
  }
  return event_base_dispatch(base);
}
