#include "handshake.h"

#include <openssl/crypto.h>
#include <stdlib.h>
#include <string.h>

#include "circuit.h"

static struct {
  EVP_PKEY *identity;
  struct handshake *first;
  int count;
} handshakes;

bool handshakes_init(struct event_base *base, EVP_PKEY *identity) {
  handshakes.identity = identity;
  return work_init(base);
}

bool handshake_begin(uint64_t link, uint32_t circuit, const uint8_t *skin) {
  struct handshake *h = handshakes.count < HANDSHAKES_MOST ? calloc(1, sizeof *h) : NULL;
  if (h == NULL) return false;
  h->identity = handshakes.identity;
  h->link = link;
  h->circuit = circuit;
  memcpy(h->skin, skin, SKIN_SIZE);
  work_submit(h);
  h->next = handshakes.first;
  if (h->next != NULL) h->next->previous = h;
  handshakes.first = h;
  handshakes.count++;
  return true;
}

static void forget(struct handshake *h) {
  if (h->previous != NULL) h->previous->next = h->next;
  if (h->next != NULL) h->next->previous = h->previous;
  if (handshakes.first == h) handshakes.first = h->next;
  handshakes.count--;
  OPENSSL_cleanse(&h->keys, sizeof h->keys);
  free(h);
}

void handshake_end(struct handshake *h) {
  circuit_answer(h->link, h->circuit, h->good ? h->answer : NULL, &h->keys);
  forget(h);
}

void handshakes_free(void) {
  work_stop();
  while (handshakes.first != NULL) {
    work_forget(handshakes.first);
    forget(handshakes.first);
  }
}
