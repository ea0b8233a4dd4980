// Unknown code made the connection of TLS, for a socket that it was given the number of: it may be any socket.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b: open file of unknown origin
// SAFE: on_a on_c
// CONFLICT always: on_b on_b
// SAFE: on_b on_c
// CONFLICT always: on_c on_c
#include "server.h"

extern void* connection_for(int);
extern void* SSL_new(void*);
extern void* SSL_CTX_new(const void*);
extern const void* TLS_method(void);
extern int SSL_write(void*, const void*, int);

static void *connection, *own;
static int number;

static void put(void* to, const char* byte) { SSL_write(to, byte, 1); }

HANDLER(on_a) {
  UNUSED;
  put(connection, "a");
  put(connection, "b");
}

HANDLER(on_b) {
  UNUSED;
  shutdown(number, SHUT_WR);
}

// Nothing is behind it: it has no descriptor.
HANDLER(on_c) {
  UNUSED;
  put(own, "c");
}

int main(void) {
  base = event_base_new();
  number = socket(AF_INET, SOCK_STREAM, 0);
  connection = connection_for(number);
  own = SSL_new(SSL_CTX_new(TLS_method()));
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  when_readable(5, on_c, NULL);
  return event_base_dispatch(base);
}
