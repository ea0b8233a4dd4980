// X509_NAME_print_ex() writes to the file of its BIO.
// CONFLICT always: on_print on_print
// CONFLICT always: on_print on_read
// SAFE: on_read on_read
#include "server.h"

typedef struct bio_st BIO;
extern BIO *BIO_new_file(const char *, const char *);
extern void *X509_NAME_new(void);
extern int X509_NAME_print_ex(BIO *, const void *, int, unsigned long);

static BIO *bio;
static void *one, *two;

HANDLER(on_print) {
  UNUSED;
  X509_NAME_print_ex(bio, one, 0, 0);
  X509_NAME_print_ex(bio, two, 0, 0);
}

HANDLER(on_read) {
  UNUSED;
  char bytes[100];
  const int file = open("/srv/x", O_RDONLY);
  if (read(file, bytes, sizeof bytes) == 1) abort();
  close(file);
}

int main(void) {
  base = event_base_new();
  bio = BIO_new_file("/srv/x", "w");
  one = X509_NAME_new();
  two = X509_NAME_new();
  when_readable(3, on_print, NULL);
  when_readable(4, on_read, NULL);
  return event_base_dispatch(base);
}
