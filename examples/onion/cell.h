/* What relays and clients say to each other: cells of one size, so that their length tells nothing.
 *
 *    0      4  5  6      8                                                1024
 *   +------+--+--+------+---------------------------------------------------+
 *   |  id  |c |  | size | payload: `size` bytes, then zeros                  |
 *   +------+--+--+------+---------------------------------------------------+
 *
 * `id` names a circuit on this link; who opened the link chooses it. Numbers are big-endian. The payload of
 * CELL_RELAY is encrypted once for each hop, and whole:
 *
 *    0      2  3  4      6         14                                     1016
 *   +------+--+--+------+---------+------------------------------------------+
 *   |  0   |r |  | size | tag     | data                                      |
 *   +------+--+--+------+---------+------------------------------------------+
 *
 * To the hop that it is meant for it shows zero and a right tag, to the others noise.
 */
#ifndef ONION_CELL_H
#define ONION_CELL_H

#include <stdint.h>

enum { CELL_SIZE = 1024, CELL_HEAD = 8, CELL_PAYLOAD = CELL_SIZE - CELL_HEAD };
enum { RELAY_HEAD = 14, RELAY_DATA = CELL_PAYLOAD - RELAY_HEAD, RELAY_TAG_AT = 6, RELAY_TAG = 8 };

enum cell_command {
  CELL_GET_KEY = 1, /* of the relay; id 0 */
  CELL_KEY,         /* DER of a SubjectPublicKeyInfo */
  CELL_CREATE,      /* an onion skin */
  CELL_CREATED,     /* its answer */
  CELL_RELAY,
  CELL_DESTROY
};

enum relay_command {
  RELAY_EXTEND = 1, /* the next hop's port on this host (2 bytes), then an onion skin for it */
  RELAY_EXTENDED,   /* its answer */
  RELAY_ECHO,       /* any data */
  RELAY_ECHOED      /* the same */
};

static inline void put_16(uint8_t *at, unsigned value) {
  at[0] = (uint8_t)(value >> 8);
  at[1] = (uint8_t)value;
}

static inline unsigned get_16(const uint8_t *at) { return (unsigned)at[0] << 8 | at[1]; }

static inline void put_32(uint8_t *at, uint32_t value) {
  put_16(at, value >> 16);
  put_16(at + 2, value & 0xffff);
}

static inline uint32_t get_32(const uint8_t *at) { return (uint32_t)get_16(at) << 16 | get_16(at + 2); }

/* Starts a cell: an empty one of `size` payload bytes. */
void cell_init(uint8_t *cell, uint32_t id, enum cell_command command, unsigned size);

#endif
