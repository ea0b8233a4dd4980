/* The listening socket, the sweep of idle connections, and the orderly end. */
#ifndef IMGSERVE_SERVER_H
#define IMGSERVE_SERVER_H

#include <event2/event.h>
#include <stdbool.h>

/* Both return false after a one-line message. */
bool server_listen(int port);
bool server_start(struct event_base *base);
void server_stop(void);

/* After SIGTERM or SIGINT: no new requests, those in hand are finished. */
bool server_draining(void);

/* To be called when a client has been closed: the last one ends a drain. */
void server_client_closed(void);

#endif
