/* HTTP/1.1, as much of it as a server of small answers needs. No state of its own: everything is in the arguments. */
#ifndef IMGSERVE_HTTP_H
#define IMGSERVE_HTTP_H

#include <stdbool.h>
#include <stddef.h>

enum { REQUEST_MAX = 8192, TARGET_MAX = 1024, HEADER_MAX = 256 };

struct http_request {
  char target[TARGET_MAX + 1];
  char method[8];
  bool head;       /* the answer is to have no body */
  bool keep_alive; /* the connection stays open afterwards */
  size_t size;     /* bytes of the buffer that belong to this request */
};

/* Reads one request from the start of `buffer`. Returns 200 when there is one, 0 when more bytes are needed, and
 * otherwise the status to refuse it with; the connection cannot go on after that, as its next request has no start. */
int http_parse(const char *buffer, size_t used, struct http_request *request);

/* Writes the head of an answer into `header` and returns its length. */
size_t http_format(char header[HEADER_MAX], int status, const char *type, size_t body_size, bool keep_alive);

const char *http_reason(int status);

#endif
