/* Counters since the start. */
#ifndef FILESERVER_STATS_H
#define FILESERVER_STATS_H

#include <stdint.h>

struct stats {
  uint64_t accepted; /* connections */
  uint64_t requests;
  uint64_t refused; /* answers with a status of 400 or more */
  uint64_t bytes;   /* of bodies */
};

extern struct stats stats;

/* One line on standard error: what was done since the last one, and how things are now. */
void stats_report(int seconds);

#endif
