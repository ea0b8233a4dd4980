// What is written goes through a chain of BIOs of any length, in whatever order it was put together (BIO_push(3)).
// CONFLICT always: on_write on_write
// CONFLICT always: on_write on_read
// SAFE: on_read on_read
#include "server.h"

typedef struct bio_st BIO;
extern BIO *BIO_new(const void *);
extern BIO *BIO_new_file(const char *, const char *);
extern const void *BIO_s_null(void);
extern BIO *BIO_push(BIO *, BIO *);
extern int BIO_write(BIO *, const void *, int);

static BIO *top;

HANDLER(on_write) {
  UNUSED;
  BIO_write(top, "x", 1);
  BIO_write(top, "y", 1);
}

HANDLER(on_read) {
  UNUSED;
  char bytes[8];
  const int file = open("/srv/x", O_RDONLY);
  if (read(file, bytes, sizeof bytes) == 1) abort();
  close(file);
}

int main(void) {
  base = event_base_new();
  top = BIO_new(BIO_s_null());
  BIO *middle = BIO_new(BIO_s_null());
  BIO_push(top, middle);
  BIO *third = BIO_new(BIO_s_null());
  BIO_push(middle, third);
  BIO_push(third, BIO_new_file("/srv/x", "w"));
  when_readable(3, on_write, NULL);
  when_readable(4, on_read, NULL);
  return event_base_dispatch(base);
}
