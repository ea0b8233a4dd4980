// How arguments of OpenSSL's types are made.
#pragma once

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/conf.h>
#include <openssl/dh.h>
#include <openssl/ec.h>
#include <openssl/engine.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/http.h>
#include <openssl/kdf.h>
#include <openssl/md5.h>
#include <openssl/ocsp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "testing/specs/calls/arguments.h"

// Made once, before the processes part: keys take long.
static EVP_PKEY *rsa_key, *ec_key;
static X509* certificate_made;

static X509* sign(EVP_PKEY* key) {
  X509* made = X509_new();
  X509_set_version(made, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(made), 7);
  X509_gmtime_adj(X509_getm_notBefore(made), 0);
  X509_gmtime_adj(X509_getm_notAfter(made), 10000);
  X509_set_pubkey(made, key);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(made), "CN", MBSTRING_ASC, (const unsigned char*)"host", -1, -1, 0);
  X509_set_issuer_name(made, X509_get_subject_name(made));
  X509_sign(made, key, EVP_sha256());
  return made;
}

void prepare_library(void) {
  SSL_library_init();
  rsa_key = EVP_RSA_gen(2048);
  ec_key = EVP_EC_gen("P-256");
  certificate_made = sign(rsa_key);
  SSL_CTX_free(SSL_CTX_new(TLS_method()));
}

static inline X509* certificate(const char* name) { return object(name, NEED(X509_dup(certificate_made))); }
static inline EVP_PKEY* key_pair(const char* name) { return object(name, NEED(EVP_PKEY_dup(rsa_key))); }
static inline RSA* rsa(const char* name) { return object(name, NEED(RSAPrivateKey_dup(EVP_PKEY_get0_RSA(rsa_key)))); }
static inline EC_KEY* curve_key(const char* name) {
  return object(name, NEED(EC_KEY_dup(EVP_PKEY_get0_EC_KEY(ec_key))));
}
static inline DH* group(const char* name) { return object(name, NEED(DH_new_by_nid(NID_ffdhe2048))); }
static inline BIGNUM* big(const char* name) {
  BIGNUM* made = NEED(BN_new());
  BN_set_word(made, 1234567);
  return object(name, made);
}
static inline BIO* memory_bio(const char* name) {
  BIO* made = NEED(BIO_new(BIO_s_mem()));
  BIO_puts(made, "one line of text\n");
  return object(name, made);
}
static inline BIO* pem_bio(const char* name, int what) {
  BIO* made = NEED(BIO_new(BIO_s_mem()));
  if (what == 0) PEM_write_bio_X509(made, certificate_made);
  if (what == 1) PEM_write_bio_PrivateKey(made, rsa_key, NULL, NULL, 0, NULL, NULL);
  if (what == 2) PEM_write_bio_RSAPublicKey(made, EVP_PKEY_get0_RSA(rsa_key));
  return object(name, made);
}
static inline SSL_CTX* context(const char* name) {
  SSL_CTX* made = NEED(SSL_CTX_new(TLS_method()));
  SSL_CTX_use_certificate(made, certificate_made);
  SSL_CTX_use_PrivateKey(made, rsa_key);
  return object(name, made);
}
static inline SSL* connection(const char* name) {
  char inner[24];
  snprintf(inner, sizeof inner, "%s@8", name);
  SSL* made = object(name, NEED(SSL_new(context(inner))));
  SSL_set_connect_state(made);
  return made;
}

static SSL* ends[2];
static inline void carry(void) {
  for (int i = 0; i < 8; ++i)
    for (int k = 0; k < 2; ++k) {
      char packet[16384];
      int count;
      while ((count = BIO_read(SSL_get_wbio(ends[k]), packet, sizeof packet)) > 0)
        BIO_write(SSL_get_rbio(ends[1 - k]), packet, count);
      SSL_do_handshake(ends[1 - k]);
    }
}
// A connection with its other end in the same process, after the handshake.
static inline SSL* shaken(const char* name) {
  char inner[24];
  for (int i = 0; i < 2; ++i) {
    snprintf(inner, sizeof inner, i == 0 ? "%s@8" : "9@8", name);
    SSL* made = ends[i] = NEED(SSL_new(context(inner)));
    object(i == 0 ? name : "9", made);
    BIO *in = BIO_new(BIO_s_mem()), *out = BIO_new(BIO_s_mem());
    SSL_set_bio(made, in, out);
    snprintf(inner, sizeof inner, i == 0 ? "%s@24" : "9@24", name);
    object(inner, in);
    snprintf(inner, sizeof inner, i == 0 ? "%s@32" : "9@32", name);
    object(inner, out);
    if (i == 0) {
      SSL_set_connect_state(made);
    } else {
      SSL_set_accept_state(made);
    }
  }
  carry();
  SSL_write(ends[1], "some bytes", 10);
  char packet[16384];
  const int count = BIO_read(SSL_get_wbio(ends[1]), packet, sizeof packet);
  BIO_write(SSL_get_rbio(ends[0]), packet, count);
  return ends[0];
}

static inline EVP_CIPHER_CTX* cipher(const char* name) {
  EVP_CIPHER_CTX* made = NEED(EVP_CIPHER_CTX_new());
  EVP_CipherInit_ex(made, EVP_aes_128_cbc(), NULL, (const unsigned char*)"0123456789abcdef",
                    (const unsigned char*)"0123456789abcdef", 1);
  return object(name, made);
}
static inline EVP_MD_CTX* digest(const char* name) {
  EVP_MD_CTX* made = NEED(EVP_MD_CTX_new());
  EVP_DigestInit_ex(made, EVP_sha256(), NULL);
  return object(name, made);
}
static inline EVP_PKEY_CTX* operation(const char* name, int what) {
  char inner[24];
  snprintf(inner, sizeof inner, "%s@1000", name);
  EVP_PKEY* key = what >= 8 ? NULL : key_pair(inner);
  EVP_PKEY_CTX* made = what == 8   ? EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, NULL)
                       : what == 9 ? EVP_PKEY_CTX_new_id(EVP_PKEY_X25519, NULL)
                                   : EVP_PKEY_CTX_new(key, NULL);
  need(made, "EVP_PKEY_CTX_new");
  if (what == 1) EVP_PKEY_encrypt_init(made);
  if (what == 2) EVP_PKEY_decrypt_init(made);
  if (what == 3) EVP_PKEY_sign_init(made);
  if (what == 4) EVP_PKEY_verify_init(made);
  if (what == 8) EVP_PKEY_derive_init(made);
  if (what == 9) EVP_PKEY_keygen_init(made);
  return object(name, made);
}

static inline X509_STORE* store(const char* name) {
  X509_STORE* made = NEED(X509_STORE_new());
  X509_STORE_add_cert(made, certificate_made);
  return object(name, made);
}
static inline X509_STORE_CTX* check(const char* name) {
  X509_STORE_CTX* made = NEED(X509_STORE_CTX_new());
  char inner[24];
  snprintf(inner, sizeof inner, "%s@2000", name);
  X509_STORE_CTX_init(made, store(inner), certificate(inner), NULL);
  return object(name, made);
}
static inline X509_NAME* subject(const char* name) {
  return object(name, NEED(X509_NAME_dup(X509_get_subject_name(certificate_made))));
}
static inline OPENSSL_STACK* stack(const char* name) {
  OPENSSL_STACK* made = NEED(OPENSSL_sk_new_null());
  OPENSSL_sk_push(made, malloc(16));
  OPENSSL_sk_push(made, malloc(16));
  return object(name, made);
}
static inline OCSP_CERTID* identity(const char* name) {
  return object(name, NEED(OCSP_cert_to_id(NULL, certificate_made, certificate_made)));
}
static inline OCSP_BASICRESP* basic_answer(const char* name) {
  OCSP_BASICRESP* made = NEED(OCSP_BASICRESP_new());
  OCSP_basic_add1_status(made, identity("9"), V_OCSP_CERTSTATUS_GOOD, 0, NULL, X509_getm_notBefore(certificate_made),
                         X509_getm_notAfter(certificate_made));
  OCSP_basic_sign(made, certificate_made, rsa_key, EVP_sha256(), NULL, 0);
  return object(name, made);
}
static inline OCSP_RESPONSE* whole_answer(const char* name) {
  return object(name, NEED(OCSP_response_create(OCSP_RESPONSE_STATUS_SUCCESSFUL, basic_answer("9"))));
}
static inline ASN1_STRING* asn1_text(const char* name) {
  ASN1_STRING* made = NEED(ASN1_STRING_new());
  ASN1_STRING_set(made, "data", 4);
  return object(name, made);
}
static inline ASN1_INTEGER* asn1_number(const char* name) {
  ASN1_INTEGER* made = NEED(ASN1_INTEGER_new());
  ASN1_INTEGER_set(made, 7);
  return object(name, made);
}
static inline ASN1_TIME* asn1_time(const char* name) { return object(name, NEED(ASN1_TIME_set(NULL, 1000000))); }
static inline ENGINE* engine(const char* name) { return object(name, NEED(ENGINE_new())); }

static long last_size;
// The encoding of something, in a block, and a block that points to it.
static inline void* encoded(const char* name, int what) {
  unsigned char* bytes = NULL;
  int size = 0;
  if (what == 0) size = i2d_X509(certificate_made, &bytes);
  if (what == 1) size = i2d_RSAPublicKey(EVP_PKEY_get0_RSA(rsa_key), &bytes);
  if (what == 2) size = i2d_RSAPrivateKey(EVP_PKEY_get0_RSA(rsa_key), &bytes);
  if (what == 3) size = i2d_PUBKEY(rsa_key, &bytes);
  if (what == 4) size = i2d_OCSP_REQUEST(OCSP_REQUEST_new(), &bytes);
  if (what == 5) size = i2d_OCSP_RESPONSE(whole_answer("8"), &bytes);
  if (what == 6) size = i2d_SSL_SESSION(SSL_get1_session(shaken("8")), &bytes);
  if (what == 7)
    size = i2d_ECDSA_SIG(ECDSA_do_sign((const unsigned char*)"data", 4, EVP_PKEY_get0_EC_KEY(ec_key)), &bytes);
  last_size = size;
  if (size <= 0) need(NULL, "encoding");
  char inner[24];
  snprintf(inner, sizeof inner, "%s@0", name);
  return with(zeros(name, 8), 0, memcpy(zeros(inner, (size_t)size), bytes, (size_t)size));
}
