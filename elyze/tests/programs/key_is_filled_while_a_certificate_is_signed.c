// X509_sign() reads the key that it is given, and the numbers that hang on that.
// CONFLICT always: on_fill on_fill
// CONFLICT always: on_fill on_sign
// CONFLICT always: on_sign on_sign
#include "server.h"

extern void *RSA_new(void);
extern void *BN_new(void);
extern void *EVP_PKEY_new(void);
extern void *X509_new(void);
extern int EVP_PKEY_set1_RSA(void *, void *);
extern int RSA_set0_key(void *, void *, void *, void *);
extern int RSA_set0_factors(void *, void *, void *);
extern int X509_sign(void *, void *, const void *);
extern const void *EVP_sha256(void);

static void *numbers, *key, *certificate, *one, *two, *three;

HANDLER(on_fill) {
  UNUSED;
  RSA_set0_key(numbers, one, two, three);
  RSA_set0_factors(numbers, one, two);
}

HANDLER(on_sign) {
  UNUSED;
  X509_sign(certificate, key, EVP_sha256());
}

int main(void) {
  base = event_base_new();
  numbers = RSA_new();
  key = EVP_PKEY_new();
  EVP_PKEY_set1_RSA(key, numbers);
  certificate = X509_new();
  one = BN_new();
  two = BN_new();
  three = BN_new();
  when_readable(3, on_fill, NULL);
  when_readable(4, on_sign, NULL);
  return event_base_dispatch(base);
}
