/* What happens to a request, one event handler per step; `arg` is the client. Each step ends by activating the next. */
#ifndef IMGSERVE_STEPS_H
#define IMGSERVE_STEPS_H

#include <event2/util.h>

void on_read(evutil_socket_t fd, short what, void *arg);   /* bytes, until there is a whole request */
void on_lookup(evutil_socket_t fd, short what, void *arg); /* everything that can be answered without rendering */
void on_render(evutil_socket_t fd, short what, void *arg); /* the slow one: makes the thumbnail */
void on_store(evutil_socket_t fd, short what, void *arg);  /* keeps it for the next who asks */
void on_write(evutil_socket_t fd, short what, void *arg);  /* the answer, as fast as the peer takes it */
void on_log(evutil_socket_t fd, short what, void *arg);    /* counts, logs; then the next request, or the end */

#endif
