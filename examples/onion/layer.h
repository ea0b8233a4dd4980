/* One layer of an onion: what a client and one hop of its circuit share once they have shaken hands. */
#ifndef ONION_LAYER_H
#define ONION_LAYER_H

#include <openssl/evp.h>
#include <stdbool.h>
#include <stdint.h>

enum { LAYER_KEY = 32 };

struct layer_keys {
  uint8_t cipher[2][LAYER_KEY]; /* away from the client, towards it */
  uint8_t tag[2][LAYER_KEY];
};

enum direction { AWAY, TOWARDS };

struct layer {
  EVP_CIPHER_CTX *cipher[2];
  struct layer_keys keys;
  uint64_t sealed[2], opened[2]; /* cells so far: no tag fits twice */
};

bool layer_init(struct layer *layer, const struct layer_keys *keys); /* false without memory */
void layer_free(struct layer *layer);

/* Encrypts or decrypts a relay payload (CELL_PAYLOAD bytes), which is the same. */
void layer_crypt(struct layer *layer, enum direction direction, uint8_t *payload);

/* Fills in a relay payload, not yet encrypted; `size` is at most RELAY_DATA. */
void layer_seal(struct layer *layer, enum direction direction, uint8_t *payload, int command, const uint8_t *data,
                unsigned size);

/* Whether a decrypted payload is meant for who holds this layer, and unchanged. */
bool layer_opens(struct layer *layer, enum direction direction, uint8_t *payload);

#endif
