#include "layer.h"

#include <openssl/crypto.h>
#include <openssl/hmac.h>
#include <string.h>

#include "cell.h"

bool layer_init(struct layer *layer, const struct layer_keys *keys) {
  static const uint8_t start[16]; /* a key is used for one circuit and one direction */

  memset(layer, 0, sizeof *layer);
  layer->keys = *keys;
  bool good = true;
  for (int i = 0; i < 2; i++) {
    layer->cipher[i] = EVP_CIPHER_CTX_new();
    good = good && layer->cipher[i] != NULL &&
           EVP_EncryptInit_ex(layer->cipher[i], EVP_aes_256_ctr(), NULL, keys->cipher[i], start) == 1;
  }
  if (!good) layer_free(layer);
  return good;
}

void layer_free(struct layer *layer) {
  for (int i = 0; i < 2; i++) {
    EVP_CIPHER_CTX_free(layer->cipher[i]);
    layer->cipher[i] = NULL;
  }
}

void layer_crypt(struct layer *layer, enum direction direction, uint8_t *payload) {
  int size = 0;
  EVP_EncryptUpdate(layer->cipher[direction], payload, &size, payload, CELL_PAYLOAD);
}

/* Over the payload with zeros where the tag belongs, and its number. */
static void make_tag(const struct layer *layer, enum direction direction, const uint8_t *payload, uint64_t number,
                     uint8_t *tag) {
  uint8_t text[CELL_PAYLOAD + 8];
  uint8_t sum[EVP_MAX_MD_SIZE];
  unsigned size = 0;

  memcpy(text, payload, CELL_PAYLOAD);
  memset(text + RELAY_TAG_AT, 0, RELAY_TAG);
  put_32(text + CELL_PAYLOAD, (uint32_t)(number >> 32));
  put_32(text + CELL_PAYLOAD + 4, (uint32_t)number);
  HMAC(EVP_sha256(), layer->keys.tag[direction], LAYER_KEY, text, sizeof text, sum, &size);
  memcpy(tag, sum, RELAY_TAG);
}

void layer_seal(struct layer *layer, enum direction direction, uint8_t *payload, int command, const uint8_t *data,
                unsigned size) {
  memset(payload, 0, CELL_PAYLOAD);
  payload[2] = (uint8_t)command;
  put_16(payload + 4, size);
  memcpy(payload + RELAY_HEAD, data, size);
  make_tag(layer, direction, payload, layer->sealed[direction]++, payload + RELAY_TAG_AT);
}

bool layer_opens(struct layer *layer, enum direction direction, uint8_t *payload) {
  uint8_t tag[RELAY_TAG];

  if (get_16(payload) != 0 || get_16(payload + 4) > RELAY_DATA) return false;
  make_tag(layer, direction, payload, layer->opened[direction], tag);
  if (CRYPTO_memcmp(tag, payload + RELAY_TAG_AT, RELAY_TAG) != 0) return false;
  layer->opened[direction]++;
  return true;
}
