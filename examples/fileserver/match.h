/* Patterns for URLs. */
#ifndef FILESERVER_MATCH_H
#define FILESERVER_MATCH_H

#include <stdbool.h>

/* `?` and `*` match within one directory, `**` across; `|` stands between alternatives. */
bool match(const char *pattern, const char *path);

#endif
