/* A connection to a client or another relay, and the list of all. */
#ifndef ONION_LINK_H
#define ONION_LINK_H

#include <event2/event.h>
#include <event2/event_struct.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cell.h"

enum { LINK_IN_CELLS = 16 };

struct link {
  uint64_t serial; /* of no other link, ever */
  int fd;
  bool ours;         /* we opened it, and choose the ids of circuits on it */
  uint16_t leads_to; /* the relay's port, if it is ours */
  uint32_t last_id;  /* that we chose on it */
  bool broken;       /* closed as soon as its own handler runs */
  struct event read, write;
  uint8_t in[LINK_IN_CELLS * CELL_SIZE];
  size_t in_used;
  uint8_t *out;
  size_t out_sent, out_used, out_size;
  struct link *next, *previous;
};

void links_init(struct event_base *base);
void links_close_all(void);
int links_count(void);

/* A link on the connected socket; NULL without memory, the socket closed. */
struct link *link_accept(int fd);

/* The link to the relay on this port, which is opened if there is none; NULL if that can't be. */
struct link *link_to(uint16_t port);

/* Queues a cell. A peer that takes nothing for too long is given up. */
void link_send(struct link *link, const uint8_t *cell);

/* Gives it up; it is closed soon, not now. */
void link_break(struct link *link);

#endif
