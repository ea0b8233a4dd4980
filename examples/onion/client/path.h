/* The relays that circuits are to lead through, and how long that took. */
#ifndef ONION_CLIENT_PATH_H
#define ONION_CLIENT_PATH_H

#include <openssl/evp.h>
#include <stdbool.h>
#include <stdint.h>

enum { HOPS = 3 };

struct hop {
  uint16_t port;
  EVP_PKEY *key; /* its public key */
};

/* Asks the relay for its key, and waits for it. False: said why. */
bool hop_learn_key(struct hop *hop);
void hop_forget_key(struct hop *hop);

#endif
