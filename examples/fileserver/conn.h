/* A connection, and the table of all of them.
 *
 *   read -> send -> finish -> read ...         for each request
 *           ^  \              \-> linger       if it was refused
 *        wakeup <-             \-> closed      if it was the last one
 */
#ifndef FILESERVER_CONN_H
#define FILESERVER_CONN_H

#include <event2/event.h>
#include <event2/event_struct.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "map_cache.h"
#include "request.h"
#include "throttle.h"

enum conn_state {
  CONN_READING,   /* for (the rest of) a request */
  CONN_SENDING,   /* for the peer to take more of the answer */
  CONN_PAUSED,    /* it was sent enough for now; `wakeup` goes on */
  CONN_FINISHING, /* `finish` is about to run */
  CONN_LINGERING  /* refused; what still arrives is thrown away, so that the answer is not lost to a reset */
};

struct conn {
  int slot; /* in the table */
  int fd;
  enum conn_state state;
  int64_t moved_ms; /* when bytes last went either way */
  int64_t linger_until_ms;
  char peer[INET_ADDRSTRLEN];
  struct event read, write, finish, wakeup, linger;

  char in[REQUEST_MAX];
  size_t in_used;

  /* The request in hand; reset by conn_next_request(). */
  struct request request;
  int status;  /* of the answer; 0: there is none yet */
  bool broken; /* the peer has gone */
  char *out;   /* the answer's head, and its body if that is not a file; NULL: there was no memory for it */
  size_t out_size, head_size;
  struct map *map; /* of the file that is sent; NULL: none is */
  const char *file;
  size_t file_size; /* the wanted part */
  size_t sent;      /* of `out` and file together */
  struct pace pace;
};

/* Room for so many, or for as many as there can be descriptors. False without memory. */
bool conn_table_init(int size);
void conn_table_free(void);
int conn_count(void);
int conn_most(void); /* that there ever were at once */
bool conn_table_full(void);
struct conn *conn_at(int slot); /* slots 0 to conn_count() - 1; closing one moves the last one there */

/* A connection of the connected socket, not in the table and with no event added; NULL without memory. */
struct conn *conn_new(struct event_base *base, int fd, const struct sockaddr_in *peer);
void conn_insert(struct conn *conn);

/* Forgets the request in hand; bytes of a next one stay in `in`. */
void conn_next_request(struct conn *conn);

/* Removes a connection that holds no map and no throttle from the table and frees everything, its socket too. */
void conn_close(struct conn *conn);

#endif
