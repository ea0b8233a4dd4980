/* Finished thumbnails, the least recently used of which make room for new ones.
 *
 * Data goes in and out by copy, so that an entry may be evicted while an answer made from it is still being sent. */
#ifndef IMGSERVE_CACHE_H
#define IMGSERVE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cache_entry;

void cache_init(size_t limit_bytes);

/* The entry, now the most recently used one, or NULL. It lives until the next call that adds or clears. */
const struct cache_entry *cache_find(const char *key);
const void *cache_data(const struct cache_entry *entry, size_t *size);

/* Keeps a copy of the data unless there is an entry of that key, or it is larger than the whole cache. */
void cache_add(const char *key, const void *data, size_t size);

size_t cache_entries(void);
size_t cache_bytes(void);
uint64_t cache_evicted(void);
void cache_clear(void);

#endif
