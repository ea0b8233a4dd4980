#include "stats.h"

#include <inttypes.h>
#include <stdio.h>

#include "cache.h"
#include "client.h"

struct stats stats;

size_t stats_format(char *text, size_t size) {
  int length =
      snprintf(text, size,
               "connections %zu\naccepted %" PRIu64 "\nswept %" PRIu64 "\nrequests %" PRIu64 "\nhits %" PRIu64
               "\nrendered %" PRIu64 "\nrender_us %" PRIu64 "\nrefused %" PRIu64 "\nbytes_sent %" PRIu64
               "\ncache_entries %zu\ncache_bytes %zu\ncache_evicted %" PRIu64 "\n",
               client_count(), stats.accepted, stats.swept, stats.requests, stats.hits, stats.rendered, stats.render_us,
               stats.refused, stats.bytes_sent, cache_entries(), cache_bytes(), cache_evicted());
  return (size_t)length;
}
