// BIO_write_filename() empties the file of that name (BIO_s_file(3)).
// CONFLICT always: on_write on_write: contents of some file
// CONFLICT always: on_write on_read: contents of elyze-out
// CONFLICT always: on_read on_read: out
#include <openssl/bio.h>

#include "server.h"

static BIO* bio;
static char out[8];

HANDLER(on_write) {
  UNUSED;
  BIO_write_filename(bio, (char*)"/tmp/elyze-out");
  BIO_puts(bio, "a");
  (void)BIO_flush(bio);
}

HANDLER(on_read) {
  UNUSED;
  int f = open("/tmp/elyze-out", O_RDONLY);
  read(f, out, 8);
  close(f);
}

int main(void) {
  base = event_base_new();
  bio = BIO_new(BIO_s_file());
  when_readable(3, on_write, NULL);
  when_readable(4, on_read, NULL);
  return event_base_dispatch(base);
}
