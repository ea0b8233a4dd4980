/* What happens on a connection, one event handler per kind of event; `arg` is the connection. */
#ifndef FILESERVER_SERVE_H
#define FILESERVER_SERVE_H

#include <event2/util.h>

struct conn;

void on_read(evutil_socket_t fd, short what, void *arg); /* bytes, until there is a request; then the answer's start */
void on_send(evutil_socket_t fd, short what, void *arg); /* as much as the peer takes now, or may have */
void on_wakeup(evutil_socket_t fd, short what, void *arg); /* a throttled connection goes on */
void on_finish(evutil_socket_t fd, short what, void *arg); /* counts, logs; then the next request, or the end */
void on_linger(evutil_socket_t fd, short what, void *arg); /* after a refusal, until the peer has read it */

/* Refuses a connection whose request does not come to its end. */
void serve_refuse(struct conn *conn, int status);

/* Counts and logs the request in hand, and gives back what was held for it. */
void serve_end_request(struct conn *conn);

#endif
