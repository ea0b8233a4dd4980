/* Counters since the start, shown at /stats. */
#ifndef IMGSERVE_STATS_H
#define IMGSERVE_STATS_H

#include <stddef.h>
#include <stdint.h>

struct stats {
  uint64_t accepted;
  uint64_t swept; /* closed for being idle */
  uint64_t requests;
  uint64_t hits;
  uint64_t rendered;
  uint64_t render_us; /* time spent on all of those */
  uint64_t refused;   /* answers with a status of 400 or more */
  uint64_t bytes_sent;
};

extern struct stats stats;

/* Writes the text of /stats and returns its length. */
size_t stats_format(char *text, size_t size);

#endif
