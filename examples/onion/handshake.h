/* Handshakes that are being worked on. One knows the circuit that it is for by numbers, for the circuit may be given up
 * meanwhile. Who does the work is a question of its own: in_loop.c lets the event loop do it, workers/workers.c has
 * threads for it. */
#ifndef ONION_HANDSHAKE_H
#define ONION_HANDSHAKE_H

#include <event2/event.h>
#include <event2/event_struct.h>
#include <openssl/evp.h>
#include <stdbool.h>
#include <stdint.h>

#include "layer.h"
#include "onionskin.h"

enum { HANDSHAKES_MOST = 4096 };

struct handshake {
  struct event work, done;
  EVP_PKEY *identity;
  uint64_t link; /* its serial */
  uint32_t circuit;
  uint8_t skin[SKIN_SIZE];
  bool good;
  uint8_t answer[ANSWER_SIZE];
  struct layer_keys keys;
  struct handshake *queued; /* behind this one, in workers/workers.c */
  struct handshake *next, *previous;
};

bool handshakes_init(struct event_base *base, EVP_PKEY *identity);
void handshakes_free(void);

/* Takes an onion skin in; false: there are too many already. */
bool handshake_begin(uint64_t link, uint32_t circuit, const uint8_t *skin);

/* After the work: hands the answer over, and forgets the handshake. */
void handshake_end(struct handshake *handshake);

/* ---- what in_loop.c or workers/workers.c does ---- */

bool work_init(struct event_base *base); /* false: it cannot be had here */
void work_submit(struct handshake *handshake);
void work_stop(void);                          /* the loop has ended: nothing is worked on afterwards */
void work_forget(struct handshake *handshake); /* after that: it is about to be freed */

#endif
