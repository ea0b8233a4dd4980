#include "onionskin.h"

#include <openssl/crypto.h>
#include <openssl/kdf.h>
#include <openssl/rsa.h>
#include <string.h>

#include "pk_ops.h"

static bool decrypt(EVP_PKEY *identity, const uint8_t *skin, uint8_t *client_public) {
  uint8_t plain[SKIN_SIZE];
  size_t size = sizeof plain;

  note_pk_op(PK_DECRYPT);
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(identity, NULL);
  bool good = context != NULL && EVP_PKEY_decrypt_init(context) == 1 &&
              EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1 &&
              EVP_PKEY_CTX_set_rsa_oaep_md(context, EVP_sha256()) == 1 &&
              EVP_PKEY_decrypt(context, plain, &size, skin, SKIN_SIZE) == 1 && size == FRESH_KEY;
  if (good) memcpy(client_public, plain, FRESH_KEY);
  EVP_PKEY_CTX_free(context);
  return good;
}

EVP_PKEY *onionskin_fresh_key(uint8_t *public_key) {
  EVP_PKEY *key = NULL;
  size_t size = FRESH_KEY;

  note_pk_op(PK_FRESH_KEY);
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_id(EVP_PKEY_X25519, NULL);
  bool good = context != NULL && EVP_PKEY_keygen_init(context) == 1 && EVP_PKEY_keygen(context, &key) == 1 &&
              EVP_PKEY_get_raw_public_key(key, public_key, &size) == 1;
  EVP_PKEY_CTX_free(context);
  if (good) return key;
  EVP_PKEY_free(key);
  return NULL;
}

static bool agree(EVP_PKEY *mine, const uint8_t *peer, uint8_t *shared) {
  size_t size = FRESH_KEY;

  note_pk_op(PK_AGREE);
  EVP_PKEY *theirs = EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, NULL, peer, FRESH_KEY);
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(mine, NULL);
  bool good = theirs != NULL && context != NULL && EVP_PKEY_derive_init(context) == 1 &&
              EVP_PKEY_derive_set_peer(context, theirs) == 1 && EVP_PKEY_derive(context, shared, &size) == 1;
  EVP_PKEY_CTX_free(context);
  EVP_PKEY_free(theirs);
  return good;
}

bool onionskin_derive(EVP_PKEY *mine, const uint8_t *peer, const uint8_t *client_public, const uint8_t *relay_public,
                      struct layer_keys *keys, uint8_t *proof) {
  static const uint8_t name[] = "onion example, handshake 1";
  uint8_t shared[FRESH_KEY];
  uint8_t material[sizeof *keys + PROOF];
  size_t size = sizeof material;

  if (!agree(mine, peer, shared)) return false;
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, NULL);
  bool good = context != NULL && EVP_PKEY_derive_init(context) == 1 &&
              EVP_PKEY_CTX_set_hkdf_md(context, EVP_sha256()) == 1 &&
              EVP_PKEY_CTX_set1_hkdf_salt(context, name, sizeof name) == 1 &&
              EVP_PKEY_CTX_set1_hkdf_key(context, shared, sizeof shared) == 1 &&
              EVP_PKEY_CTX_add1_hkdf_info(context, client_public, FRESH_KEY) == 1 &&
              EVP_PKEY_CTX_add1_hkdf_info(context, relay_public, FRESH_KEY) == 1 &&
              EVP_PKEY_derive(context, material, &size) == 1;
  EVP_PKEY_CTX_free(context);
  if (good) {
    memcpy(keys, material, sizeof *keys);
    memcpy(proof, material + sizeof *keys, PROOF);
  }
  OPENSSL_cleanse(shared, sizeof shared);
  OPENSSL_cleanse(material, sizeof material);
  return good;
}

bool onionskin_answer(EVP_PKEY *identity, const uint8_t *skin, uint8_t *answer, struct layer_keys *keys) {
  uint8_t client_public[FRESH_KEY];

  if (!decrypt(identity, skin, client_public)) return false;
  EVP_PKEY *mine = onionskin_fresh_key(answer);
  bool good = mine != NULL && onionskin_derive(mine, client_public, client_public, answer, keys, answer + FRESH_KEY);
  EVP_PKEY_free(mine);
  return good;
}
