/* A request, read in place: its parts are places in the buffer that it arrived in.
 *
 * The end of its head is looked for as bytes arrive, each looked at once; only then is the head taken apart. */
#ifndef FILESERVER_REQUEST_H
#define FILESERVER_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum { REQUEST_MAX = 8192 };

enum request_place {
  PLACE_BEFORE,    /* in empty lines before the request (RFC 9112, 2.2) */
  PLACE_IN_LINE,   /* within a line */
  PLACE_LINE_START /* behind a line's end; one more ends the head */
};

struct request {
  enum request_place place; /* of the byte that is looked at next */
  size_t start, scanned;    /* where the request line begins; how far the bytes were looked at */
  size_t size;              /* bytes of the buffer that belong to this request; 0: not known yet */

  /* Where these begin, each ended by a zero; all 0 until the request line was understood. */
  size_t method, target, version;
  bool head;       /* the answer is to have no body */
  bool keep_alive; /* the connection stays open afterwards */
  bool has_host;
  bool ranged; /* bytes first..last are wanted; first -1: the last `last` bytes; last -1: to the end */
  int64_t first, last;
  time_t modified_since, range_since; /* -1: not asked */
};

void request_reset(struct request *request);

/* Looks at what is in the buffer. Returns 200 when there is a whole request, 0 when more bytes are needed, and
 * otherwise the status to refuse it with; the connection cannot go on after that, as its next request has no start. */
int request_parse(struct request *request, char *buffer, size_t used);

#endif
