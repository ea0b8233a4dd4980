/* The circuits that lead through this relay.
 *
 *   HANDSHAKE  asked for; the onion skin is being worked on
 *   OPEN       cells pass
 *   EXTENDING  the next hop was asked; its answer goes back as EXTENDED
 */
#ifndef ONION_CIRCUIT_H
#define ONION_CIRCUIT_H

#include <openssl/evp.h>
#include <stdbool.h>
#include <stdint.h>

#include "layer.h"
#include "link.h"

bool circuits_init(EVP_PKEY *identity); /* false: the key is of another kind than relays have */
void circuits_free(void);
int circuits_count(void);
unsigned long circuits_built(void);

/* Does what a cell that has come in asks for. A peer that breaks the rules loses its link. */
void circuit_take(struct link *link, uint8_t *cell);

/* The onion skin of this circuit was worked on; `answer` is NULL if it was no good. The circuit may be gone. */
void circuit_answer(uint64_t link_serial, uint32_t id, const uint8_t *answer, const struct layer_keys *keys);

/* The link is about to be closed: its circuits end. */
void circuits_lose(struct link *link);

#endif
