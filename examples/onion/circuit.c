#include "circuit.h"

#include <openssl/x509.h>
#include <stdlib.h>
#include <string.h>

#include "handshake.h"
#include "onionskin.h"

enum { BUCKETS = 4096 };

enum state { HANDSHAKE, OPEN, EXTENDING };

/* Where a circuit meets a link; the table finds circuits by it. */
struct end {
  struct link *link; /* NULL: none yet */
  uint64_t serial;   /* of the link */
  uint32_t id;
  struct circuit *circuit;
  struct end *chain; /* same bucket */
};

struct circuit {
  enum state state;
  struct end back, ahead; /* towards the client, and away from it */
  struct layer layer;
  struct circuit *next, *previous;
};

static struct {
  struct end *buckets[BUCKETS];
  struct circuit *first;
  int count;
  unsigned long built;
  uint8_t key[CELL_SIZE]; /* the cell that answers who asks for our public key */
} circuits;

bool circuits_init(EVP_PKEY *identity) {
  uint8_t *at = circuits.key + CELL_HEAD;
  if (EVP_PKEY_get_base_id(identity) != EVP_PKEY_RSA || EVP_PKEY_get_bits(identity) != RSA_BITS) return false;
  int size = i2d_PUBKEY(identity, NULL);
  if (size <= 0 || size > CELL_PAYLOAD) return false;
  cell_init(circuits.key, 0, CELL_KEY, (unsigned)size);
  return i2d_PUBKEY(identity, &at) == size;
}

int circuits_count(void) { return circuits.count; }

unsigned long circuits_built(void) { return circuits.built; }

/* ---- the table ---- */

static struct end **bucket_of(uint64_t serial, uint32_t id) {
  uint64_t hash = (serial << 32 ^ id) * 0x9e3779b97f4a7c15u;
  return &circuits.buckets[(hash >> 40) % BUCKETS];
}

static struct end *find(uint64_t serial, uint32_t id) {
  struct end *end = *bucket_of(serial, id);
  while (end != NULL && (end->serial != serial || end->id != id)) end = end->chain;
  return end;
}

static void attach(struct circuit *circuit, struct end *end, struct link *link, uint32_t id) {
  struct end **bucket = bucket_of(link->serial, id);
  *end = (struct end){link, link->serial, id, circuit, *bucket};
  *bucket = end;
}

static void detach(struct end *end) {
  if (end->link == NULL) return;
  struct end **at = bucket_of(end->serial, end->id);
  while (*at != end) at = &(*at)->chain;
  *at = end->chain;
  end->link = NULL;
}

static void forget(struct circuit *circuit) {
  detach(&circuit->back);
  detach(&circuit->ahead);
  if (circuit->previous != NULL) circuit->previous->next = circuit->next;
  if (circuit->next != NULL) circuit->next->previous = circuit->previous;
  if (circuits.first == circuit) circuits.first = circuit->next;
  circuits.count--;
  layer_free(&circuit->layer);
  free(circuit);
}

static void say_destroyed(const struct end *end) {
  uint8_t cell[CELL_SIZE];
  if (end->link == NULL) return;
  cell_init(cell, end->id, CELL_DESTROY, 0);
  link_send(end->link, cell);
}

/* Ends a circuit and tells both neighbours, but not the one that `told` us. */
static void destroy(struct circuit *circuit, const struct link *told) {
  if (circuit->back.link != told) say_destroyed(&circuit->back);
  if (circuit->ahead.link != told) say_destroyed(&circuit->ahead);
  forget(circuit);
}

void circuits_lose(struct link *link) {
  struct circuit *next;
  for (struct circuit *circuit = circuits.first; circuit != NULL; circuit = next) {
    next = circuit->next;
    if (circuit->back.link == link || circuit->ahead.link == link) destroy(circuit, link);
  }
}

void circuits_free(void) {
  while (circuits.first != NULL) forget(circuits.first);
}

/* ---- cells ---- */

static void take_create(struct link *link, uint32_t id, const uint8_t *skin, unsigned size) {
  struct circuit *circuit = NULL;
  if (!link->ours && size == SKIN_SIZE && find(link->serial, id) == NULL) circuit = calloc(1, sizeof *circuit);
  if (circuit == NULL) {
    link_break(link);
    return;
  }
  circuit->state = HANDSHAKE;
  attach(circuit, &circuit->back, link, id);
  circuit->next = circuits.first;
  if (circuit->next != NULL) circuit->next->previous = circuit;
  circuits.first = circuit;
  circuits.count++;
  if (!handshake_begin(link->serial, id, skin)) destroy(circuit, NULL);
}

/* Sends something of our own to the client. */
static void say(struct circuit *circuit, enum relay_command command, const uint8_t *data, unsigned size) {
  uint8_t cell[CELL_SIZE];
  cell_init(cell, circuit->back.id, CELL_RELAY, CELL_PAYLOAD);
  layer_seal(&circuit->layer, TOWARDS, cell + CELL_HEAD, command, data, size);
  layer_crypt(&circuit->layer, TOWARDS, cell + CELL_HEAD);
  link_send(circuit->back.link, cell);
}

void circuit_answer(uint64_t link_serial, uint32_t id, const uint8_t *answer, const struct layer_keys *keys) {
  uint8_t cell[CELL_SIZE];
  struct end *end = find(link_serial, id);

  if (end == NULL || end->circuit->state != HANDSHAKE) return;
  if (answer == NULL || !layer_init(&end->circuit->layer, keys)) {
    destroy(end->circuit, NULL);
    return;
  }
  end->circuit->state = OPEN;
  circuits.built++;
  cell_init(cell, id, CELL_CREATED, ANSWER_SIZE);
  memcpy(cell + CELL_HEAD, answer, ANSWER_SIZE);
  link_send(end->link, cell);
}

static void take_created(struct link *link, uint32_t id, const uint8_t *answer, unsigned size) {
  struct end *end = find(link->serial, id);
  if (end == NULL) return; /* it was given up meanwhile */
  struct circuit *circuit = end->circuit;
  if (end != &circuit->ahead || circuit->state != EXTENDING || size != ANSWER_SIZE) {
    link_break(link);
    return;
  }
  circuit->state = OPEN;
  say(circuit, RELAY_EXTENDED, answer, size);
}

static bool extend(struct circuit *circuit, const uint8_t *data, unsigned size) {
  uint8_t cell[CELL_SIZE];
  if (size != 2 + SKIN_SIZE || circuit->state != OPEN || circuit->ahead.link != NULL) return false;
  struct link *link = link_to((uint16_t)get_16(data));
  if (link == NULL) return false;
  attach(circuit, &circuit->ahead, link, ++link->last_id);
  circuit->state = EXTENDING;
  cell_init(cell, circuit->ahead.id, CELL_CREATE, SKIN_SIZE);
  memcpy(cell + CELL_HEAD, data + 2, SKIN_SIZE);
  link_send(link, cell);
  return true;
}

/* A relay cell that was meant for us. */
static bool obey(struct circuit *circuit, const uint8_t *payload) {
  unsigned size = get_16(payload + 4);
  const uint8_t *data = payload + RELAY_HEAD;
  if (payload[2] == RELAY_EXTEND) return extend(circuit, data, size);
  if (payload[2] != RELAY_ECHO) return false;
  say(circuit, RELAY_ECHOED, data, size);
  return true;
}

static void pass_on(const struct end *end, uint8_t *cell) {
  put_32(cell, end->id);
  link_send(end->link, cell);
}

static void take_relay(struct link *link, uint32_t id, uint8_t *cell) {
  struct end *end = find(link->serial, id);
  if (end == NULL) return; /* it was given up meanwhile */
  struct circuit *circuit = end->circuit;
  uint8_t *payload = cell + CELL_HEAD;

  if (circuit->state == HANDSHAKE) {
    destroy(circuit, NULL);
  } else if (end == &circuit->ahead) {
    layer_crypt(&circuit->layer, TOWARDS, payload);
    pass_on(&circuit->back, cell);
  } else {
    layer_crypt(&circuit->layer, AWAY, payload);
    if (layer_opens(&circuit->layer, AWAY, payload)) {
      if (!obey(circuit, payload)) destroy(circuit, NULL);
    } else if (circuit->ahead.link != NULL && circuit->state == OPEN) {
      pass_on(&circuit->ahead, cell);
    } else {
      destroy(circuit, NULL);
    }
  }
}

void circuit_take(struct link *link, uint8_t *cell) {
  uint32_t id = get_32(cell);
  unsigned size = get_16(cell + 6);
  struct end *end;

  if (size > CELL_PAYLOAD) {
    link_break(link);
    return;
  }
  switch (cell[4]) {
    case CELL_GET_KEY:
      link_send(link, circuits.key);
      break;
    case CELL_CREATE:
      take_create(link, id, cell + CELL_HEAD, size);
      break;
    case CELL_CREATED:
      take_created(link, id, cell + CELL_HEAD, size);
      break;
    case CELL_RELAY:
      take_relay(link, id, cell);
      break;
    case CELL_DESTROY:
      end = find(link->serial, id);
      if (end != NULL) destroy(end->circuit, link);
      break;
    default:
      link_break(link);
  }
}
