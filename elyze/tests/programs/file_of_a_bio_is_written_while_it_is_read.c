// CONFLICT always: on_a on_b: contents of audit.log
#include "server.h"
#include <openssl/bio.h>
static int audit;
static char all[4096];
static BIO* out;
HANDLER(on_a) {
  UNUSED;
  BIO_printf(out, "%d\n", (int)fd);
  BIO_flush(out);
}
HANDLER(on_b) {
  UNUSED;
  pread(audit, all, sizeof all, 0);
}
int main(void) {
  base = event_base_new();
  out = BIO_new_file("audit.log", "a");
  audit = open("audit.log", O_RDONLY);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  event_base_dispatch(base);
}
