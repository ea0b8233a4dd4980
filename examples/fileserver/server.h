/* The listening socket, what is done from time to time, and the signals. */
#ifndef FILESERVER_SERVER_H
#define FILESERVER_SERVER_H

#include <event2/event.h>
#include <stdbool.h>

struct conn;

/* Both return false after a one-line message. */
bool server_listen(int port);
bool server_start(struct event_base *base);
void server_stop(void);

/* After SIGUSR1: no new requests, those in hand are finished. */
bool server_stopping(void);

/* Closes a connection whose request has been ended. The last one after SIGUSR1 ends the server. */
void server_drop(struct conn *conn);

/* Has the map cache cleaned as soon as nothing else is to do. */
void server_clean_soon(void);

#endif
