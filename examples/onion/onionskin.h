/* The handshake between a client and one hop: the hop is known by its RSA key, the keys are forgotten with the circuit.
 *
 *   onion skin   the client's fresh X25519 key, encrypted to the hop's RSA key (OAEP, SHA-256)
 *   answer       the hop's fresh X25519 key, and 32 bytes that only who could read the skin knows
 *   keys         HKDF-SHA256 of what X25519 gives, over both fresh keys
 *
 * In the manner of tor's first handshake (tor-spec, "TAP"), with X25519 in the place of a Diffie-Hellman group. For the
 * hop it is milliseconds of RSA; for the client, next to nothing.
 */
#ifndef ONION_ONIONSKIN_H
#define ONION_ONIONSKIN_H

#include <openssl/evp.h>
#include <stdbool.h>
#include <stdint.h>

#include "layer.h"

enum { RSA_BITS = 4096, SKIN_SIZE = RSA_BITS / 8, FRESH_KEY = 32, PROOF = 32, ANSWER_SIZE = FRESH_KEY + PROOF };

/* The relay's part. False: the skin is not for this key, or not well-formed. */
bool onionskin_answer(EVP_PKEY *identity, const uint8_t *skin, uint8_t *answer, struct layer_keys *keys);

/* What both parts do: keys and proof from the own private and the other's public key. */
bool onionskin_derive(EVP_PKEY *mine, const uint8_t *peer, const uint8_t *client_public, const uint8_t *relay_public,
                      struct layer_keys *keys, uint8_t *proof);

EVP_PKEY *onionskin_fresh_key(uint8_t *public_key); /* NULL without memory */

#endif
