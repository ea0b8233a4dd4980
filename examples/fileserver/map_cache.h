/* Files mapped into memory, kept for a while after the last connection is done with them.
 *
 * A map is found by what the file is, not by its name: device, inode, size and time of change. So a file that changes
 * gets a new map, and those who are being sent the old one go on with it.
 *
 * A map in use (refs > 0) is never unmapped: only map_clean() unmaps, and only what nobody uses. So who holds one may
 * read its bytes without asking. */
#ifndef FILESERVER_MAP_CACHE_H
#define FILESERVER_MAP_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

struct map;

struct map_figures {
  size_t maps, unused, bytes, unused_bytes, mapped, hits;
};

void map_init(size_t limit_bytes);

/* The map of an open file, which may be closed afterwards; NULL with errno set. To be given back with map_release(). */
struct map *map_get(int fd, const struct stat *status);
void map_release(struct map *map);
const char *map_data(const struct map *map);

/* Whether there is more than the limit, and something of it could go. */
bool map_crowded(void);

/* Unmaps what was unused since `before_ms`, and all that is unused if there is more than the limit. */
void map_clean(int64_t before_ms);
void map_clear(void);
struct map_figures map_figures(void);

#endif
