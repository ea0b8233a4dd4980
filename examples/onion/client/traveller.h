/* A connection to the first relay, over which one circuit after the other is built, tried, and given up. */
#ifndef ONION_CLIENT_TRAVELLER_H
#define ONION_CLIENT_TRAVELLER_H

#include <event2/event.h>
#include <stdbool.h>

#include "path.h"

struct traveller;

/* `built` is called for each circuit, with its milliseconds from the first cell to the last hop's echo; while it
 * returns true there is another one. `failed` is called at most once, with what went wrong. */
struct traveller *traveller_new(struct event_base *base, const struct hop *path, bool (*built)(double ms),
                                void (*failed)(const char *why));
void traveller_free(struct traveller *traveller);

#endif
