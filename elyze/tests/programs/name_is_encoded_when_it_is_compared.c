// X509_NAME_cmp() makes the encodings of its names where they have changed, and keeps them (crypto/x509/x_name.c).
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
#include "server.h"

extern void *X509_NAME_new(void);
extern int X509_NAME_add_entry_by_txt(void *, const char *, int, const unsigned char *, int, int, int);
extern int X509_NAME_cmp(const void *, const void *);
extern int i2d_X509_NAME(const void *, unsigned char **);

static void *one, *two;
static int order, bytes;

HANDLER(on_a) {
  UNUSED;
  order = X509_NAME_cmp(one, two);
}

HANDLER(on_b) {
  UNUSED;
  bytes = i2d_X509_NAME(one, NULL);
}

int main(void) {
  base = event_base_new();
  one = X509_NAME_new();
  two = X509_NAME_new();
  X509_NAME_add_entry_by_txt(one, "CN", 0x1001, (const unsigned char *)"here", -1, -1, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
