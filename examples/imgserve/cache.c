#include "cache.h"

#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "route.h"

enum { BUCKETS = 4096 };

struct cache_entry {
  struct cache_entry *chain;         /* same bucket */
  struct cache_entry *newer, *older; /* order of use */
  unsigned hits;
  size_t size;
  char key[KEY_SIZE];
  unsigned char data[];
};

static struct {
  size_t limit, bytes, entries;
  uint64_t evicted;
  struct cache_entry *newest, *oldest;
  struct cache_entry *buckets[BUCKETS];
} cache;

void cache_init(size_t limit_bytes) { cache.limit = limit_bytes; }

/* FNV-1a */
static struct cache_entry **bucket_of(const char *key) {
  uint32_t hash = 2166136261u;
  for (; *key != '\0'; key++) hash = (hash ^ (unsigned char)*key) * 16777619u;
  return &cache.buckets[hash % BUCKETS];
}

static void unlink_use(struct cache_entry *entry) {
  if (entry->newer != NULL)
    entry->newer->older = entry->older;
  else
    cache.newest = entry->older;
  if (entry->older != NULL)
    entry->older->newer = entry->newer;
  else
    cache.oldest = entry->newer;
}

static void link_newest(struct cache_entry *entry) {
  entry->newer = NULL;
  entry->older = cache.newest;
  if (cache.newest != NULL)
    cache.newest->newer = entry;
  else
    cache.oldest = entry;
  cache.newest = entry;
}

static size_t cost(size_t size) { return sizeof(struct cache_entry) + size; }

static void evict(struct cache_entry *entry) {
  struct cache_entry **at = bucket_of(entry->key);
  while (*at != entry) at = &(*at)->chain;
  *at = entry->chain;
  unlink_use(entry);
  cache.bytes -= cost(entry->size);
  cache.entries--;
  cache.evicted++;
  log_line("evicted %s after %u hits", entry->key, entry->hits);
  free(entry);
}

static struct cache_entry *find(const char *key) {
  struct cache_entry *entry = *bucket_of(key);
  while (entry != NULL && strcmp(entry->key, key) != 0) entry = entry->chain;
  return entry;
}

const struct cache_entry *cache_find(const char *key) {
  struct cache_entry *entry = find(key);
  if (entry == NULL) return NULL;
  entry->hits++;
  unlink_use(entry);
  link_newest(entry);
  return entry;
}

const void *cache_data(const struct cache_entry *entry, size_t *size) {
  *size = entry->size;
  return entry->data;
}

void cache_add(const char *key, const void *data, size_t size) {
  if (cost(size) > cache.limit || find(key) != NULL) return;
  while (cache.bytes + cost(size) > cache.limit) evict(cache.oldest);

  struct cache_entry *entry = malloc(cost(size));
  if (entry == NULL) return;
  entry->hits = 0;
  entry->size = size;
  strcpy(entry->key, key);
  memcpy(entry->data, data, size);

  struct cache_entry **bucket = bucket_of(key);
  entry->chain = *bucket;
  *bucket = entry;
  link_newest(entry);
  cache.bytes += cost(size);
  cache.entries++;
}

size_t cache_entries(void) { return cache.entries; }
size_t cache_bytes(void) { return cache.bytes; }
uint64_t cache_evicted(void) { return cache.evicted; }

void cache_clear(void) {
  while (cache.newest != NULL) {
    struct cache_entry *entry = cache.newest;
    cache.newest = entry->older;
    free(entry);
  }
  cache.oldest = NULL;
  cache.bytes = cache.entries = 0;
  memset(cache.buckets, 0, sizeof cache.buckets);
}
