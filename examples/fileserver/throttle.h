/* Bounds on how fast files are sent, by patterns of URLs; each pattern's bound is shared by all who are sent its files.
 *
 * What a connection sends is counted in its own `pace`. throttle_collect() takes these counts together now and then,
 * and throttle_assign() divides the bounds anew. */
#ifndef FILESERVER_THROTTLE_H
#define FILESERVER_THROTTLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { THROTTLES_AT_ONCE = 8 }; /* further patterns that a URL fits do not bound it */

/* A connection's part. All zero: not bounded. */
struct pace {
  int count;
  int of[THROTTLES_AT_ONCE]; /* which throttles */
  int64_t limit;             /* bytes per second; 0: none */
  int64_t uncollected;       /* bytes sent that no throttle knows of */
  int64_t since_ms, sent;    /* bytes sent since then, under this limit */
};

/* Reads the file of patterns. False after a one-line message. */
bool throttle_load(const char *file);
void throttle_unload(void);

/* Bounds a connection that is about to be sent what `path` names; false if that is far over its bound already. */
bool throttle_enter(struct pace *pace, const char *path);
void throttle_leave(struct pace *pace);

void throttle_collect(struct pace *pace);
void throttle_rate(int period_s); /* works out how fast each was sent, from what was collected */
void throttle_assign(struct pace *pace);

/* The most that should be sent now, and how long to wait after what was sent; neither looks beyond the pace. */
size_t pace_portion(const struct pace *pace);
int64_t pace_delay_ms(const struct pace *pace, int64_t now);

#endif
