/* Answers as bytes, into the `out` of a connection. */
#ifndef FILESERVER_REPLY_H
#define FILESERVER_REPLY_H

#include <stddef.h>
#include <time.h>

struct conn;
struct text;

/* The head of an answer whose body has `size` bytes; `extra` is further lines of it, each with its end. */
void reply_head(struct conn *conn, int status, const char *type, size_t size, const char *extra);

/* A whole answer with this body. */
void reply_text(struct conn *conn, int status, const char *type, const struct text *body, const char *extra);

/* A page that says no more than the status. */
void reply_page(struct conn *conn, int status, const char *extra);

#endif
