/* What the hand-written crawlers of this folder share: links are found by looking for `<a` and `href="`, as no crawler
 * should for whom pages are written by others, and a URL is known if its hash was seen. All memory is taken at the
 * beginning. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t* seen; /* hashes, by open addressing */
static uint64_t seen_mask;
static char* paths; /* of all pages that were found, one after the other, each with its end */
static char *next_path, *end_path;

static void begin_scan(size_t most_pages) {
  seen_mask = 1024;
  while (seen_mask < 4 * most_pages) seen_mask *= 2;
  seen = calloc(seen_mask--, sizeof *seen);
  next_path = end_path = paths = malloc(64 * (most_pages + 1));
}

static uint64_t hash_of(const char* bytes, size_t size) {
  uint64_t hash = 14695981039346656037u ^ size, word = 0;
  for (; size >= 8; bytes += 8, size -= 8) {
    memcpy(&word, bytes, 8);
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  word = 0;
  memcpy(&word, bytes, size);
  hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
  return (hash ^ hash >> 32) | 1;
}

static void add_path(const char* path, size_t size) {
  const uint64_t hash = hash_of(path, size);
  uint64_t at = hash >> 8 & seen_mask;
  for (; seen[at] != 0; at = (at + 1) & seen_mask)
    if (seen[at] == hash) return;
  seen[at] = hash;
  memcpy(end_path, path, size);
  end_path[size] = 0;
  end_path += size + 1;
}

/* The path of a page that is to be fetched, or null if none is known now. */
static const char* take_path(void) {
  if (next_path == end_path) return NULL;
  const char* const path = next_path;
  next_path += strlen(path) + 1;
  return path;
}

static void scan(const char* body, size_t size) {
  const char *at = body, *const end = body + size;
  while ((at = memchr(at, '<', (size_t)(end - at))) != NULL && end - at > 16) {
    ++at;
    if (at[0] != 'a' || at[1] != ' ') continue;
    const char* const close = memchr(at, '>', (size_t)(end - at));
    if (close == NULL) return;
    const char* const href = memmem(at, (size_t)(close - at), "href=\"", 6);
    if (href == NULL || href[6] != '/') continue;
    const char* const quote = memchr(href + 6, '"', (size_t)(close - href - 6));
    if (quote != NULL) add_path(href + 6, (size_t)(quote - href - 6));
    at = close;
  }
}
