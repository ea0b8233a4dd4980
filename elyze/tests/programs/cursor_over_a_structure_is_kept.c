// A pointer that is kept between two calls moves over all of the structure that it was made from.
#include "server.h"

struct header {
  char name[16];
  int hits;
};
struct reader {
  const unsigned char* next;
  unsigned sum;
};

static struct header shared;
static struct reader of_bytes, of_name;
static int names[4];

HANDLER(on_name) {
  (void)what, (void)arg;
  shared.name[fd & 15] = 'x';
}
HANDLER(on_hit) {
  UNUSED;
  shared.hits++;
}
HANDLER(on_byte) {
  UNUSED;
  if (of_bytes.next == (const unsigned char*)(&shared + 1)) of_bytes.next = (const unsigned char*)&shared;
  of_bytes.sum += *of_bytes.next++;
}
// CONFLICT always: on_name on_byte: shared.name
// CONFLICT always: on_hit on_byte: shared.hits

HANDLER(on_letter) {
  UNUSED;
  of_name.sum += *of_name.next++;
  names[of_name.sum & 3]++;
}
// SAFE: on_letter on_byte

int main(void) {
  static unsigned char text[64];
  base = event_base_new();
  of_bytes.next = (const unsigned char*)&shared;
  of_name.next = text;
  when_readable(3, on_name, NULL);
  when_readable(4, on_hit, NULL);
  when_readable(5, on_byte, NULL);
  when_readable(6, on_letter, NULL);
  return event_base_dispatch(base);
}
