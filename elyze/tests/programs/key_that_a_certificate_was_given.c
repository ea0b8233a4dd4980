// A certificate hands out the key that it was given (X509_get0_pubkey(3)).
// CONFLICT always: on_one on_one
// CONFLICT always: on_one on_other
// CONFLICT always: on_other on_other
#include "server.h"

typedef struct evp_pkey_st EVP_PKEY;
typedef struct x509_st X509;
extern EVP_PKEY *EVP_PKEY_new(void);
extern X509 *X509_new(void);
extern int X509_set_pubkey(X509 *, EVP_PKEY *);
extern EVP_PKEY *X509_get0_pubkey(const X509 *);
extern int EVP_PKEY_assign(EVP_PKEY *, int, void *);

static EVP_PKEY *one, *other;

HANDLER(on_one) {
  UNUSED;
  EVP_PKEY_assign(one, 6, NULL);
}

HANDLER(on_other) {
  UNUSED;
  EVP_PKEY_assign(other, 6, NULL);
}

int main(void) {
  base = event_base_new();
  one = EVP_PKEY_new();
  X509 *certificate = X509_new();
  X509_set_pubkey(certificate, one);
  other = X509_get0_pubkey(certificate);
  when_readable(3, on_one, NULL);
  when_readable(4, on_other, NULL);
  return event_base_dispatch(base);
}
