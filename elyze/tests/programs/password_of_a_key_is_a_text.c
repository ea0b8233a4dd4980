// Without a callback, the last argument of PEM_read_bio_PrivateKey() is the password, a text.
// CONFLICT always: on_change on_change
// CONFLICT always: on_change on_read
// CONFLICT always: on_read on_read
#include "server.h"

typedef struct bio_st BIO;
typedef struct evp_pkey_st EVP_PKEY;
extern BIO *BIO_new_file(const char *, const char *);
extern EVP_PKEY *PEM_read_bio_PrivateKey(BIO *, EVP_PKEY **, int (*)(char *, int, int, void *), void *);

static char password[20] = "the old one";
static EVP_PKEY *key;
static BIO *bio;

HANDLER(on_change) {
  UNUSED;
  memcpy(password, "the new one", 12);
}

HANDLER(on_read) {
  UNUSED;
  key = PEM_read_bio_PrivateKey(bio, NULL, NULL, password);
}

int main(void) {
  base = event_base_new();
  bio = BIO_new_file("key.pem", "r");
  when_readable(3, on_change, NULL);
  when_readable(4, on_read, NULL);
  return event_base_dispatch(base);
}
