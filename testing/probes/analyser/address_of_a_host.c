// gethostbyname() gives a list of addresses in static memory, which the next call fills again.
// CONFLICT always: on_a on_b
// CONFLICT always: on_a on_a
// SAFE: on_b on_b
#include <netdb.h>
#include "server.h"
static const char* address;
HANDLER(on_a) {
  UNUSED;
  if (gethostbyname("other.example") == NULL) abort();
}
HANDLER(on_b) {
  UNUSED;
  printf("%d.%d\n", address[0], address[3]);
}

int main(void) {
  base = event_base_new();
  struct hostent* host = gethostbyname("one.example");
  if (host == NULL) return 1;
  address = host->h_addr_list[0];
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
