/* The listening socket, the statistics, the end. */
#ifndef ONION_SERVER_H
#define ONION_SERVER_H

#include <event2/event.h>
#include <stdbool.h>

bool server_listen(int port); /* false: said why */
bool server_start(struct event_base *base, int stats_s);
void server_stop(void);

/* A link was closed: if there was no descriptor for another one, now there is. */
void server_may_accept(void);

#endif
