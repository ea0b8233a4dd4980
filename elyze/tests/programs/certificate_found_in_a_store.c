// What a store finds for a name is one of the certificates that it was given (X509_STORE_CTX_get_obj_by_subject).
// CONFLICT always: on_one on_one
// CONFLICT always: on_one on_other
// CONFLICT always: on_other on_other
#include "server.h"

typedef struct x509_st X509;
extern X509 *X509_new(void);
extern int X509_set_version(X509 *, long);
extern void *X509_STORE_new(void);
extern void *X509_STORE_CTX_new(void);
extern int X509_STORE_add_cert(void *, X509 *);
extern int X509_STORE_CTX_init(void *, void *, X509 *, void *);
extern void *X509_STORE_CTX_get_obj_by_subject(void *, int, void *);
extern X509 *X509_OBJECT_get0_X509(const void *);

static X509 *one, *other;

HANDLER(on_one) {
  UNUSED;
  X509_set_version(one, 1);
}

HANDLER(on_other) {
  UNUSED;
  X509_set_version(other, 2);
}

int main(void) {
  base = event_base_new();
  one = X509_new();
  void *store = X509_STORE_new();
  X509_STORE_add_cert(store, one);
  void *search = X509_STORE_CTX_new();
  X509_STORE_CTX_init(search, store, NULL, NULL);
  other = X509_OBJECT_get0_X509(X509_STORE_CTX_get_obj_by_subject(search, 1, NULL));
  when_readable(3, on_one, NULL);
  when_readable(4, on_other, NULL);
  return event_base_dispatch(base);
}
