// Each session keeps the address of one and the same block as a number that an assembly statement rotates.
#include "server.h"

#include <stdint.h>

struct record {
  char name[8];
  long count;
};
static uint64_t turn(uint64_t n, int right) {
  if (right) __asm__("rorq $8, %0" : "+r"(n));
  else __asm__("rolq $8, %0" : "+r"(n));
  return n;
}
struct client {
  long own;
  uint64_t kept;
};
static long reads;
HANDLER(on_write) {
  struct client *client = arg;
  (void)fd, (void)what;
  client->own++;
  struct record *found = (struct record *)turn(client->kept, 1);
  found->count++;
}
HANDLER(on_read) {
  (void)fd, (void)what;
  reads += ((struct record *)arg)->count;
}
// CONFLICT always: on_write on_write
// CONFLICT always: on_write on_read
// CONFLICT always: on_read on_read: reads

int main(void) {
  base = event_base_new();
  struct record *block = calloc(1, sizeof *block);
  for (int i = 3; i < 9; i++) {
    struct client *client = calloc(1, sizeof *client);
    client->kept = turn((uintptr_t)block, 0);
    when_readable(i, on_write, client);
  }
  for (int i = 20; i < 22; i++) when_readable(i, on_read, block);
  return event_base_dispatch(base);
}
