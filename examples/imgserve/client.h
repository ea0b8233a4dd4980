/* A connection, and the list of all of them.
 *
 * One request at a time goes through the steps of steps.c, each an event of its own:
 *
 *   read -> lookup -> render -> store -> write -> log -> read ...
 *              \_________(hit, or no picture)_______^
 */
#ifndef IMGSERVE_CLIENT_H
#define IMGSERVE_CLIENT_H

#include <event2/event.h>
#include <event2/event_struct.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "http.h"
#include "render.h"
#include "route.h"

enum client_state {
  CLIENT_WAITING,  /* for (the rest of) a request */
  CLIENT_WORKING,  /* a step is about to run */
  CLIENT_SENDING,  /* for the peer to take more of the answer */
  CLIENT_LINGERING /* refused; what still arrives is thrown away, so that the answer is not lost to a reset */
};

struct client {
  struct client *next, *previous; /* the list */
  int fd;
  enum client_state state;
  int64_t active_us; /* when the peer last did something */
  struct event read, lookup, render, store, write, log;

  char in[REQUEST_MAX];
  size_t in_used;

  /* The request in hand; reset by client_next_request(). */
  struct http_request request;
  struct route route;
  int status; /* of the answer; 0: there is no request, the peer has gone */
  int64_t started_us, render_us;
  bool hit;
  char problem[RENDER_ERROR_SIZE];
  char header[HEADER_MAX];
  size_t header_size;
  unsigned char *body;
  size_t body_size;
  size_t sent; /* of header and body together */
};

/* A client of the connected socket, in no list and with no event added; NULL without memory. */
struct client *client_new(struct event_base *base, int fd);
void client_insert(struct client *client);

/* Forgets the request in hand; bytes of a next one stay in `in`. */
void client_next_request(struct client *client);

/* Removes it from the list and frees everything, its socket too. */
void client_close(struct client *client);

/* Closes those whose peers have done nothing since the given time, which is another one for those that linger, and
 * returns how many. */
size_t clients_close_idle(int64_t since_us, int64_t lingering_since_us);

/* Closes those that have not sent a byte of a next request. */
void clients_close_unused(void);
void clients_close_all(void);
size_t client_count(void);

#endif
