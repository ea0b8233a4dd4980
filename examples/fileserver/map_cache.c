#include "map_cache.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "date.h"

enum { BUCKETS = 4096 };

struct map {
  dev_t device;
  ino_t inode;
  size_t size;
  struct timespec changed;
  unsigned refs;
  int64_t released_ms;
  void *data;
  struct map *chain; /* same bucket */
};

static struct {
  struct map *buckets[BUCKETS];
  size_t limit;
  struct map_figures figures;
} cache;

void map_init(size_t limit_bytes) { cache.limit = limit_bytes; }

static struct map **bucket_of(dev_t device, ino_t inode) {
  uint64_t hash = ((uint64_t)inode ^ (uint64_t)device << 32) * 0x9e3779b97f4a7c15u;
  return &cache.buckets[(hash >> 40) % BUCKETS];
}

static bool maps(const struct map *map, const struct stat *status) {
  return map->inode == status->st_ino && map->device == status->st_dev && map->size == (size_t)status->st_size &&
         map->changed.tv_sec == status->st_ctim.tv_sec && map->changed.tv_nsec == status->st_ctim.tv_nsec;
}

static struct map *find(const struct stat *status) {
  struct map *map = *bucket_of(status->st_dev, status->st_ino);
  while (map != NULL && !maps(map, status)) map = map->chain;
  return map;
}

static struct map *map_file(int fd, const struct stat *status) {
  struct map *map = calloc(1, sizeof *map);
  if (map == NULL) return NULL;
  map->device = status->st_dev;
  map->inode = status->st_ino;
  map->size = (size_t)status->st_size;
  map->changed = status->st_ctim;
  map->data = mmap(NULL, map->size, PROT_READ, MAP_SHARED, fd, 0);
  if (map->data == MAP_FAILED) {
    free(map);
    return NULL;
  }
  return map;
}

struct map *map_get(int fd, const struct stat *status) {
  struct map *map = find(status);
  if (map != NULL) {
    cache.figures.hits++;
    if (map->refs++ == 0) cache.figures.unused--, cache.figures.unused_bytes -= map->size;
    return map;
  }
  map = map_file(fd, status);
  if (map == NULL) return NULL;
  map->refs = 1;
  struct map **bucket = bucket_of(map->device, map->inode);
  map->chain = *bucket;
  *bucket = map;
  cache.figures.maps++;
  cache.figures.bytes += map->size;
  cache.figures.mapped++;
  return map;
}

void map_release(struct map *map) {
  if (--map->refs > 0) return;
  map->released_ms = now_ms();
  cache.figures.unused++;
  cache.figures.unused_bytes += map->size;
}

const char *map_data(const struct map *map) { return map->data; }

bool map_crowded(void) { return cache.figures.bytes > cache.limit && cache.figures.unused > 0; }

static void unmap(struct map *map) {
  cache.figures.maps--;
  cache.figures.bytes -= map->size;
  munmap(map->data, map->size);
  free(map);
}

/* Takes each chain apart and puts back what stays. */
void map_clean(int64_t before_ms) {
  bool all = map_crowded();
  for (size_t i = 0; i < BUCKETS; i++) {
    struct map *map = cache.buckets[i];
    cache.buckets[i] = NULL;
    while (map != NULL) {
      struct map *next = map->chain;
      if (map->refs == 0 && (all || map->released_ms < before_ms)) {
        cache.figures.unused--;
        cache.figures.unused_bytes -= map->size;
        unmap(map);
      } else {
        map->chain = cache.buckets[i];
        cache.buckets[i] = map;
      }
      map = next;
    }
  }
}

void map_clear(void) {
  for (size_t i = 0; i < BUCKETS; i++) {
    while (cache.buckets[i] != NULL) {
      struct map *map = cache.buckets[i];
      cache.buckets[i] = map->chain;
      unmap(map);
    }
  }
}

struct map_figures map_figures(void) { return cache.figures; }
