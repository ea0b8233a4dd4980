// SSL of a function without a spec: its socket is shut down between two records.
// CONFLICT always: on_a on_b
#define _GNU_SOURCE
#include "server.h"
#include <openssl/ssl.h>
struct n {
  long n;
  char t[16];
};
static char* g;
static int last, last2;
extern SSL* lib_ssl(int);
static SSL* s;

HANDLER(on_a) {
  UNUSED;
  SSL_write(s, "a", 1);
  SSL_write(s, "b", 1);
}
HANDLER(on_b) {
  UNUSED;
  struct n* n = arg;
  n->n = shutdown((int)n->n, 1);
}
int main(int argc, char** argv) {
  base = event_base_new();
  g = malloc(64);
  struct n* n = calloc(1, sizeof *n);
  n->n = socket(AF_INET, SOCK_STREAM, 0);
  s = lib_ssl((int)n->n);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, n);
  return event_base_dispatch(base);
}
