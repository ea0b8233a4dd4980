// The old way to write a flexible array: data[1] at the end, with more behind it.
#include "server.h"

struct message {
  long length;
  char data[1];
};
static struct message *shared;
static long a_calls, b_calls;
HANDLER(on_all) {
  UNUSED;
  a_calls++;
  for (long i = 0; i < shared->length; i++) shared->data[i]++;
}
HANDLER(on_fifth) {
  UNUSED;
  b_calls++;
  char *d = shared->data;
  d[4]++;
}
// CONFLICT always: on_all on_all: a_calls
// CONFLICT always: on_fifth on_fifth: b_calls
// CONFLICT always: on_all on_fifth: message->data

int main(void) {
  base = event_base_new();
  shared = calloc(1, sizeof *shared + 99);
  shared->length = 100;
  for (int i = 3; i < 5; i++) {
    when_readable(i, on_all, NULL);
    when_readable(i + 10, on_fifth, NULL);
  }
  return event_base_dispatch(base);
}
