// PEM_read_bio_X509() does so as well.
// CONFLICT always: on_one on_one
// CONFLICT always: on_one on_other
// CONFLICT always: on_other on_other
#include "server.h"

typedef struct X509_st X509;
extern X509 *X509_new(void);
extern void *BIO_new_mem_buf(const void *, int);
extern X509 *PEM_read_bio_X509(void *, X509 **, void *, void *);
extern int X509_set_version(X509 *, long);

static X509 *one, *other;

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
  other = PEM_read_bio_X509(BIO_new_mem_buf(argv[1], -1), &again, NULL, NULL);
  when_readable(3, on_one, NULL);
  when_readable(4, on_other, NULL);
  return event_base_dispatch(base);
}
