// A key hands out the numbers that it was given, through a function (RSA_set0_key(3), RSA_get0_n(3)).
// CONFLICT always: on_one on_one
// CONFLICT always: on_one on_other
// CONFLICT always: on_other on_other
#include "server.h"

typedef struct rsa_st RSA;
typedef struct bignum_st BIGNUM;
extern RSA *RSA_new(void);
extern BIGNUM *BN_new(void);
extern int RSA_set0_key(RSA *, BIGNUM *, BIGNUM *, BIGNUM *);
extern const BIGNUM *RSA_get0_n(const RSA *);
extern int BN_set_word(BIGNUM *, unsigned long);

static BIGNUM *one, *other;

static BIGNUM *modulus(RSA *key) { return (BIGNUM *)RSA_get0_n(key); }

HANDLER(on_one) {
  UNUSED;
  BN_set_word(one, 1);
}

HANDLER(on_other) {
  UNUSED;
  BN_set_word(other, 2);
}

int main(void) {
  base = event_base_new();
  one = BN_new();
  RSA *key = RSA_new();
  RSA_set0_key(key, one, BN_new(), NULL);
  other = modulus(key);
  when_readable(3, on_one, NULL);
  when_readable(4, on_other, NULL);
  return event_base_dispatch(base);
}
