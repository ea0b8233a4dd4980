// d2i_X509() uses the certificate again that stands where it is told to put one, and returns it.
// CONFLICT always: on_one on_one
// CONFLICT always: on_one on_other
// CONFLICT always: on_other on_other
#include "server.h"

typedef struct X509_st X509;
extern X509 *X509_new(void);
extern X509 *d2i_X509(X509 **, const unsigned char **, long);
extern int X509_set_version(X509 *, long);

static X509 *one, *other;

static X509 *read_certificate(X509 **into, const unsigned char *from) { return d2i_X509(into, &from, 500); }

HANDLER(on_one) {
  UNUSED;
  X509_set_version(one, 1);
}

HANDLER(on_other) {
  UNUSED;
  X509_set_version(other, 2);
}

int main(int argc, char **argv) {
  base = event_base_new();
  if (argc < 2) return 1;
  one = X509_new();
  X509 *again = one;
  other = read_certificate(&again, (unsigned char *)argv[1]);
  when_readable(3, on_one, NULL);
  when_readable(4, on_other, NULL);
  return event_base_dispatch(base);
}
