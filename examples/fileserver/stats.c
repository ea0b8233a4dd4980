#include "stats.h"

#include <inttypes.h>
#include <stdio.h>

#include "conn.h"
#include "map_cache.h"

struct stats stats;
static struct stats reported;

void stats_report(int seconds) {
  const struct map_figures maps = map_figures();
  fprintf(stderr,
          "fileserver: in %d s %" PRIu64 " connections, %" PRIu64 " requests (%" PRIu64 " refused), %" PRIu64
          " bytes; now %d connections (most %d), %zu maps (%zu unused) of %zu bytes, %zu mapped, %zu found\n",
          seconds, stats.accepted - reported.accepted, stats.requests - reported.requests,
          stats.refused - reported.refused, stats.bytes - reported.bytes, conn_count(), conn_most(), maps.maps,
          maps.unused, maps.bytes, maps.mapped, maps.hits);
  reported = stats;
}
